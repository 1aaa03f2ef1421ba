//! Records of little-endian numbers, each defined once for the reader and the writer.

/// Defines a struct of unsigned numbers and its encoding: little-endian, one field after the other.
macro_rules! record {
    (
        $(#[$about:meta])*
        pub struct $name:ident { $($(#[$field_doc:meta])* pub $field:ident: $kind:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $kind,)*
        }

        impl $name {
            /// Its length in bytes.
            pub const SIZE: usize = 0 $(+ size_of::<$kind>())*;

            /// Its bytes.
            pub fn encode(&self) -> [u8; Self::SIZE] {
                let (mut bytes, mut at) = ([0; Self::SIZE], 0);
                $(
                    let end = at + size_of::<$kind>();
                    bytes[at..end].copy_from_slice(&self.$field.to_le_bytes());
                    at = end;
                )*
                debug_assert_eq!(at, Self::SIZE);
                bytes
            }

            /// Decodes a record.
            pub fn decode(bytes: &[u8; Self::SIZE]) -> $name {
                let mut rest = &bytes[..];
                $(
                    let mut number = [0; size_of::<$kind>()];
                    let (here, after) = rest.split_at(number.len());
                    number.copy_from_slice(here);
                    rest = after;
                    let $field = <$kind>::from_le_bytes(number);
                )*
                debug_assert!(rest.is_empty());
                $name { $($field,)* }
            }

            /// Decodes all records; bytes after the last complete one are ignored.
            pub fn decode_all(bytes: &[u8]) -> impl ExactSizeIterator<Item = $name> + '_ {
                bytes.as_chunks().0.iter().map($name::decode)
            }
        }
    };
}

pub(crate) use record;
