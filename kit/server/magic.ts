/** What a file is, by its first bytes: the name that came with it proves nothing. */
interface Kind {
  readonly type: string
  readonly ends: readonly string[]
  readonly is: (head: Buffer) => boolean
}

const starts =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    bytes.every((b, i) => head[i] === b)

const says =
  (text: string, at = 0) =>
  (head: Buffer): boolean =>
    head.toString('latin1', at, at + text.length) === text

const kinds: readonly Kind[] = [
  { type: 'image/png', ends: ['png'], is: starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  { type: 'image/jpeg', ends: ['jpg', 'jpeg', 'jfif'], is: starts(0xff, 0xd8, 0xff) },
  { type: 'image/gif', ends: ['gif'], is: h => says('GIF87a')(h) || says('GIF89a')(h) },
  { type: 'image/webp', ends: ['webp'], is: h => says('RIFF')(h) && says('WEBP', 8)(h) },
  {
    type: 'image/bmp',
    ends: ['bmp'],
    is: h => says('BM')(h) && h.length > 26 && h.readUInt32LE(14) >= 12 && h.readUInt32LE(14) <= 124,
  },
  { type: 'application/pdf', ends: ['pdf'], is: says('%PDF-') },
  {
    type: 'audio/mpeg',
    ends: ['mp3'],
    is: h => says('ID3')(h) || (h[0] === 0xff && (h[1]! & 0xe6) === 0xe2),
  },
  { type: 'audio/wav', ends: ['wav'], is: h => says('RIFF')(h) && says('WAVE', 8)(h) },
  { type: 'video/mp4', ends: ['mp4', 'm4v', 'mov', 'm4a', 'heic'], is: says('ftyp', 4) },
  { type: 'application/x-7z-compressed', ends: ['7z'], is: starts(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  { type: 'application/vnd.rar', ends: ['rar'], is: says('Rar!') },
  { type: 'application/gzip', ends: ['gz', 'tgz'], is: starts(0x1f, 0x8b) },
]

/** Families whose members differ by name only. */
const zips: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  apk: 'application/vnd.android.package-archive',
  zip: 'application/zip',
}

const compounds: Readonly<Record<string, string>> = {
  xls: 'application/vnd.ms-excel',
  doc: 'application/msword',
  ppt: 'application/vnd.ms-powerpoint',
}

const texts: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  json: 'application/json',
}

/** Names that claim a kind: when the bytes do not agree, the file is not what it says. */
const claims: ReadonlySet<string> = new Set([
  ...kinds.flatMap(k => k.ends),
  ...Object.keys(zips),
  ...Object.keys(compounds),
])

export const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
const isZip = (h: Buffer): boolean => starts(0x50, 0x4b, 0x03, 0x04)(h) || starts(0x50, 0x4b, 0x05, 0x06)(h)
const isCompound = starts(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/**
 * The media type of a file whose first bytes are `head` (some thousand suffice); nothing when its name claims
 * another.
 */
export function kindOf(head: Buffer, name: string): string | undefined {
  const end = endingOf(name)
  const known = kinds.find(k => k.is(head))
  if (known) return !claims.has(end) || known.ends.includes(end) ? known.type : undefined
  if (isZip(head)) return zips[end] ?? (claims.has(end) ? undefined : zips.zip)
  if (isCompound(head)) return compounds[end] ?? (claims.has(end) ? undefined : 'application/octet-stream')
  // An xls may be a sheet of text or HTML under a false name: whoever reads it says so better than we can.
  if (claims.has(end) && end !== 'xls') return undefined
  return !head.includes(0) ? (texts[end] ?? 'application/octet-stream') : 'application/octet-stream'
}

/**
 * Kinds that a browser may show in place; all others are only ever saved. SVG and HTML can carry scripts and
 * are not here.
 */
export const shownInPlace: ReadonlySet<string> = new Set([
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
