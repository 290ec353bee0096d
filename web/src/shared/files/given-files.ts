/** The files that somebody pastes. Empty if text was copied: programs add a picture of it. */
export function filesPasted({ clipboardData }: ClipboardEvent): File[] {
  if (!clipboardData || clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files];
}

export interface Dropped {
  files: File[];
  /** Whether there were folders too, which can't be uploaded. */
  hasFolders: boolean;
}

export function filesDropped({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): Dropped {
  const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, hasFolders: items.some(isFolder) };
}

export function hasFiles({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
