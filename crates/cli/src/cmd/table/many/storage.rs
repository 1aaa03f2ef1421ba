//! Where finished layers are kept besides the disk: `--storage`.

use std::path::Path;

use foregone::record::write::Target;

#[derive(clap::Args)]
pub struct Storage {
    /// Keep finished layers, and at the end the table, in an object store as well, such as
    /// s3://bucket/prefix; what is missing here is fetched from there
    #[arg(long, value_name = "URL")]
    pub storage: Option<String>,
}

impl Storage {
    /// The target for a table. From the object store, if there is one, it fetches what is missing here: those
    /// files that are `wanted` of the folder beside the table, and the table itself if `whole`.
    pub fn target(
        &self,
        file: &Path,
        whole: bool,
        wanted: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Target> {
        match &self.storage {
            None => Ok(file.into()),
            Some(url) => mirrored(url, file, whole, wanted),
        }
    }
}

#[cfg(feature = "object-store")]
fn mirrored(
    url: &str,
    file: &Path,
    whole: bool,
    wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Target> {
    use foregone::record::disk::Disk;
    use foregone::record::write::unfinished;

    let folder = file.parent().unwrap_or(Path::new(""));
    let bucket = foregone_cluster::Bucket::open(url, folder)
        .map_err(|error| crate::args::Refused(error.to_string()))?;
    if whole {
        let name = file.file_name().and_then(|name| name.to_str());
        bucket.fetch(folder, |other| Some(other) == name)?;
    }
    bucket.fetch(&unfinished(file), wanted)?;
    Ok(Target::on(Disk::default().with_mirror(std::sync::Arc::new(bucket)), file))
}

#[cfg(not(feature = "object-store"))]
fn mirrored(_: &str, _: &Path, _: bool, _: impl Fn(&str) -> bool) -> anyhow::Result<Target> {
    let message = "this program was built without object stores: build it with \
                   `cargo install foregone-cli --features object-store`";
    Err(crate::args::Refused(message.to_owned()).into())
}

/// Whether a file of the folder belongs to a finished layer, or says which table it is.
pub fn of_layers(name: &str) -> bool {
    name.ends_with(".json") || name.ends_with(".blocks")
}

/// Whether a file belongs to a layer.
pub fn of_layer(name: &str, layer: u32) -> bool {
    name.split_once('.').is_some_and(|(first, _)| first.parse() == Ok(layer))
}
