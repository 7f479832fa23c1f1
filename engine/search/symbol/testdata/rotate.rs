use crate::keys::rotate;

/// Sessions rotate.
pub struct Sessions { pub rotate: u32 }

impl Sessions {
    /// Renews the keys.
    pub fn rotate(&mut self, now: u32) -> u32 { self.rotate + Self::rotate(self, now) }
}

trait Rotator { fn rotate(&self); }

fn login(s: &mut Sessions, rotate: u32) -> u32 {
    s.rotate(1);
    let x = Sessions::new();
    x.rotate(rotate);
    Sessions { rotate: 1 };
    crate::keys::rotate(2);
    rotate!(3);
    println!("rotate {}", rotate)
}

macro_rules! rotate { () => {} }

macro_rules! renew {
    ($t:ty) => { impl $t { pub fn rotate(&self) {} } };
}
