/** What a file is, by its first bytes: the name that came with it proves nothing. */
interface FileSignature {
  readonly type: string
  readonly extensions: readonly string[]
  readonly matches: (head: Buffer) => boolean
}

const startsWithBytes =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    bytes.every((b, i) => head[i] === b)

const containsText =
  (text: string, at = 0) =>
  (head: Buffer): boolean =>
    head.toString('latin1', at, at + text.length) === text

/** Pictures in the container that videos are in, too: by its major brand. No browser but one shows them. */
const heifBrands: ReadonlySet<string> = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
])

const signatures: readonly FileSignature[] = [
  {
    type: 'image/png',
    extensions: ['png'],
    matches: startsWithBytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg', 'jfif'], matches: startsWithBytes(0xff, 0xd8, 0xff) },
  {
    type: 'image/gif',
    extensions: ['gif'],
    matches: h => containsText('GIF87a')(h) || containsText('GIF89a')(h),
  },
  {
    type: 'image/webp',
    extensions: ['webp'],
    matches: h => containsText('RIFF')(h) && containsText('WEBP', 8)(h),
  },
  {
    type: 'image/bmp',
    extensions: ['bmp'],
    matches: h =>
      containsText('BM')(h) && h.length > 26 && h.readUInt32LE(14) >= 12 && h.readUInt32LE(14) <= 124,
  },
  { type: 'application/pdf', extensions: ['pdf'], matches: containsText('%PDF-') },
  {
    type: 'audio/mpeg',
    extensions: ['mp3'],
    matches: h => containsText('ID3')(h) || (h[0] === 0xff && ((h[1] ?? 0) & 0xe6) === 0xe2),
  },
  {
    type: 'audio/wav',
    extensions: ['wav'],
    matches: h => containsText('RIFF')(h) && containsText('WAVE', 8)(h),
  },
  {
    type: 'image/heic',
    extensions: ['heic', 'heif'],
    matches: h => containsText('ftyp', 4)(h) && heifBrands.has(h.toString('latin1', 8, 12)),
  },
  { type: 'video/mp4', extensions: ['mp4', 'm4v', 'mov', 'm4a'], matches: containsText('ftyp', 4) },
  {
    type: 'application/x-7z-compressed',
    extensions: ['7z'],
    matches: startsWithBytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
  },
  { type: 'application/vnd.rar', extensions: ['rar'], matches: containsText('Rar!') },
  { type: 'application/gzip', extensions: ['gz', 'tgz'], matches: startsWithBytes(0x1f, 0x8b) },
]

/** Extensions of pictures, for files whose bytes are not here yet. */
export const imageExtensions: ReadonlySet<string> = new Set(
  signatures.filter(({ type }) => type.startsWith('image/')).flatMap(({ extensions }) => extensions),
)

/** Families whose members differ by name only. */
const zipTypes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  apk: 'application/vnd.android.package-archive',
  zip: 'application/zip',
}

const compoundTypes: Readonly<Record<string, string>> = {
  xls: 'application/vnd.ms-excel',
  doc: 'application/msword',
  ppt: 'application/vnd.ms-powerpoint',
}

const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  json: 'application/json',
}

/** Names that claim a kind: when the bytes do not agree, the file is not what it says. */
const knownExtensions: ReadonlySet<string> = new Set([
  ...signatures.flatMap(k => k.extensions),
  ...Object.keys(zipTypes),
  ...Object.keys(compoundTypes),
])

export const extensionOf = (name: string): string =>
  /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
const isZip = (h: Buffer): boolean =>
  startsWithBytes(0x50, 0x4b, 0x03, 0x04)(h) || startsWithBytes(0x50, 0x4b, 0x05, 0x06)(h)
const isCompound = startsWithBytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/**
 * The media type of a file whose first bytes are `head` (some thousand suffice); nothing when its name claims
 * another.
 */
export function detectFileType(head: Buffer, name: string): string | undefined {
  const end = extensionOf(name)
  const known = signatures.find(k => k.matches(head))
  if (known) return !knownExtensions.has(end) || known.extensions.includes(end) ? known.type : undefined
  if (isZip(head)) return zipTypes[end] ?? (knownExtensions.has(end) ? undefined : zipTypes.zip)
  if (isCompound(head))
    return compoundTypes[end] ?? (knownExtensions.has(end) ? undefined : 'application/octet-stream')
  // An xls may be a sheet of text or HTML under a false name: its reader gives the better message.
  if (knownExtensions.has(end) && end !== 'xls') return undefined
  return !head.includes(0) ? (textTypes[end] ?? 'application/octet-stream') : 'application/octet-stream'
}

/**
 * Kinds that a browser may show in place; all others are only ever saved. SVG and HTML can carry scripts and
 * are not here.
 */
export const inlineTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'application/pdf',
  'audio/mpeg',
  'audio/wav',
  'video/mp4',
])
