export type FileKind =
  | 'folder'
  | 'image'
  | 'pdf'
  | 'sheet'
  | 'document'
  | 'slides'
  | 'archive'
  | 'video'
  | 'audio'
  | 'text'
  | 'other'

const kindsByExtension: Readonly<Record<string, FileKind>> = {
  ...Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp', 'bmp', 'heic', 'heif'].map(end => [end, 'image' as const]),
  ),
  pdf: 'pdf',
  ...Object.fromEntries(['xls', 'xlsx'].map(end => [end, 'sheet' as const])),
  ...Object.fromEntries(['doc', 'docx'].map(end => [end, 'document' as const])),
  ...Object.fromEntries(['ppt', 'pptx'].map(end => [end, 'slides' as const])),
  ...Object.fromEntries(['zip', 'rar', '7z', 'gz', 'tgz', 'apk'].map(end => [end, 'archive' as const])),
  ...Object.fromEntries(['mp4', 'm4v'].map(end => [end, 'video' as const])),
  ...Object.fromEntries(['mp3', 'wav', 'm4a'].map(end => [end, 'audio' as const])),
  ...Object.fromEntries(
    ['txt', 'log', 'csv', 'json', 'md', 'xml', 'ini', 'yml', 'yaml', 'svg', 'html', 'htm'].map(end => [
      end,
      'text' as const,
    ]),
  ),
}

/** By the name, for its icon and for how it is shown: SVG and HTML, which may carry scripts, as text. */
export const fileKindOf = (name: string): FileKind =>
  kindsByExtension[/\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'other'

/** How much of a text a preview shows, in bytes. */
export const previewTextBytes = 262_144

/** Shown as text: nothing of it runs. */
export const isTextFile = (name: string, contentType = ''): boolean =>
  fileKindOf(name) === 'text' || contentType.startsWith('text/')
