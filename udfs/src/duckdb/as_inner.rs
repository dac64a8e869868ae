//! Functions with the name, the signature and the documentation of a function of DataFusion.

/// The methods that return those of the field `inner`, which has the function of DataFusion.
macro_rules! named_as_inner {
    () => {
        fn name(&self) -> &str {
            self.inner.name()
        }

        fn aliases(&self) -> &[String] {
            self.inner.aliases()
        }

        fn signature(&self) -> &Signature {
            self.inner.signature()
        }

        fn documentation(&self) -> Option<&Documentation> {
            self.inner.documentation()
        }
    };
}

pub(super) use named_as_inner;
