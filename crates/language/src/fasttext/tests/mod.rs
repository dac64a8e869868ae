mod damage;
mod predictions;
mod reference;
mod writer;
