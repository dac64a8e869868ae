mod builder;
mod hostile;
