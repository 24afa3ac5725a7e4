import { quoteText } from './values-sql.ts'
import type { OmittedPart, PlannedColumn } from './plan.ts'

export const companyExportFormat = 1
export const manifestPath = 'manifest.json'
export const readmePath = 'README.txt'
export const attachmentListPath = '附件清单.csv'
export const attachmentFolder = '附件'

export interface ExportedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface ExportedTable extends ExportedFile {
  readonly table: string
  readonly label: string
  readonly rows: number
  readonly columns: readonly PlannedColumn[]
}

/** The last entry of the zip: what it holds, by which an import judges it. */
export interface CompanyManifest {
  readonly format: number
  readonly product: string
  readonly productVersion: string
  readonly exportTime: string
  readonly company: { readonly id: number; readonly name: string }
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly tables: readonly ExportedTable[]
  readonly omitted: readonly OmittedPart[]
  /** Files by their keys, in a list of their own; `missing` had lost their bytes before. */
  readonly attachments: {
    readonly list: ExportedFile
    readonly count: number
    readonly bytes: number
    readonly missing: number
  }
  readonly readme: ExportedFile
  /** The last numbers that were given out, by sequence. */
  readonly sequences: readonly { readonly name: string; readonly last: string }[]
}

export interface Attachment {
  readonly key: string
  /** Empty: its bytes were missing. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export const attachmentColumns = [
  { heading: '文件键', name: 'key' },
  { heading: '文件', name: 'path' },
  { heading: '字节数', name: 'bytes' },
  { heading: 'SHA-256', name: 'sha256' },
] as const

const csvField = (text: string): string => `"${text.replaceAll('"', '""')}"`

export const attachmentLine = ({ key, path, bytes, sha256 }: Attachment): string =>
  `${[key, path, String(bytes), sha256].map(csvField).join(',')}\r\n`

/** A line of the list; undefined where it is not one. */
export function parseAttachment(line: string): Attachment | undefined {
  const fields = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, text = '']) =>
    text.replaceAll('""', '"'),
  )
  const [key, path, bytes, sha256] = fields
  if (fields.length !== 4 || !key || path === undefined || sha256 === undefined) return undefined
  return { key, path, bytes: Number(bytes), sha256 }
}

/**
 * A name that every system can store: no separator, no sign that a system refuses, no way out of a folder, at
 * most 80 characters (255 bytes where a system counts those).
 */
export function safeName(name: string): string {
  const cleaned = [...name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')].slice(0, 80).join('')
  return cleaned.replaceAll(/^[\s.]+|[\s.]+$/g, '') || '_'
}

export const tablePath = ({ name, label }: { readonly name: string; readonly label: string }): string =>
  `数据/${safeName(label)}（${name}）.csv`

/** The condition of a company's rows of a table `t`. */
export const rowsOf = (ownerId: number, rows: string | undefined): string =>
  `t.owner_id = ${quoteText(String(ownerId))}::bigint${rows ? ` and (${rows})` : ''}`
