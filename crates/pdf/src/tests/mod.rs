mod builder;
mod damaged;
mod hostile;
mod lenient;
