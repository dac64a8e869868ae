//! The options of object stores in executors.

use std::any::Any;

use datafusion::common::config::{ConfigEntry, ConfigExtension, ExtensionOptions};
use datafusion::common::{Result, config_err};

/// The setting that carries the options of a client's object stores.
pub const STORES_SETTING: &str = "corpus_stores.options";

/// The options of a client's object stores, as sent to executors.
#[derive(Debug, Clone, Default)]
pub struct StoreSettings {
    pub text: String,
}

impl ConfigExtension for StoreSettings {
    const PREFIX: &'static str = "corpus_stores";
}

impl ExtensionOptions for StoreSettings {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        if key != "options" {
            return config_err!("unknown setting '{key}'");
        }
        value.clone_into(&mut self.text);
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        vec![ConfigEntry {
            key: STORES_SETTING.to_owned(),
            value: Some(self.text.clone()),
            description: "",
        }]
    }
}
