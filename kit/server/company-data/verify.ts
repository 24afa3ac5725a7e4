import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isObject } from '#kit/contract/wire/members.ts'
import { errorMessage } from '../database-error.ts'
import { isFileKey } from '../files.ts'
import { readMigrations } from '../postgres/migrate.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { ZipPart } from '../workbook/zip-reader.ts'
import { byteOrderMark, headerLine, RowEnds, splitHeader } from './csv-lines.ts'
import {
  attachmentColumns,
  companyExportFormat,
  manifestPath,
  parseAttachment,
  type Attachment,
  type CompanyManifest,
  type ExportedFile,
} from './manifest.ts'
import { ZipFileReader } from './zip-file.ts'

/** An export whose every part has been read and found to be what its manifest states. */
export interface VerifiedExport {
  readonly zip: ZipFileReader
  readonly manifest: CompanyManifest
}

const largestManifest = 64 * 2 ** 20
const newExport = '请换一份完整的导出文件。'

const refuse = (text: string): never => {
  throw new StartupError(text)
}

async function readWhole(zip: ZipFileReader, part: ZipPart): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of zip.read(part)) {
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What the export says of itself; only as much of it is trusted as decides whether to read on. */
async function readManifest(zip: ZipFileReader, file: string): Promise<CompanyManifest> {
  const part = zip.parts.get(manifestPath)
  if (!part || part.unpacked > largestManifest)
    return refuse(`${file} 不是公司数据的导出文件（没有 ${manifestPath}）。`)
  const manifest: unknown = JSON.parse((await readWhole(zip, part)).toString())
  if (!isObject(manifest) || typeof manifest.format !== 'number')
    return refuse(`${file} 不是公司数据的导出文件。`)
  if (manifest.format !== companyExportFormat)
    return refuse(
      `${file} 的格式是 ${manifest.format}，本程序只支持格式 ${companyExportFormat}。请使用导出时的版本，或先升级程序。`,
    )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by exportCompany in this format
  return manifest as unknown as CompanyManifest
}

function refuseUnknownVersion({ migrations, product, productVersion }: CompanyManifest, dir: string): void {
  const known = new Map(readMigrations(dir).map(each => [each.name, each.checksum]))
  const strange = migrations.filter(each => known.get(each.name) !== each.checksum).map(each => each.name)
  if (strange.length)
    refuse(
      `导出文件来自 ${product} ${productVersion}，比本程序新或与本程序不同（本程序没有迁移 ${strange.join('、')}）。请先升级程序再导入。`,
    )
}

/** Checks that no file is missing and none was added. */
function compareParts(zip: ZipFileReader, paths: ReadonlySet<string>): void {
  const missing = [...paths].find(path => !zip.parts.has(path))
  if (missing !== undefined) refuse(`导出文件中缺少「${missing}」，未作任何改动。${newExport}`)
  const strange = [...zip.parts.keys()].find(path => !paths.has(path))
  if (strange !== undefined) refuse(`导出文件中多出「${strange}」，未作任何改动。${newExport}`)
}

async function verifyFile(
  zip: ZipFileReader,
  { path, bytes, sha256 }: ExportedFile,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<void> {
  const part = zip.parts.get(path)
  if (!part) return refuse(`导出文件中缺少「${path}」，未作任何改动。${newExport}`)
  const hash = createHash('sha256')
  let length = 0
  for await (const piece of zip.read(part)) {
    hash.update(piece)
    length += piece.length
    onPiece(piece)
  }
  if (length !== bytes || hash.digest('hex') !== sha256)
    refuse(`「${path}」的内容与导出时不符（可能被改动过），未作任何改动。${newExport}`)
}

async function verifyTable(zip: ZipFileReader, table: CompanyManifest['tables'][number]): Promise<void> {
  const rowEnds = new RowEnds()
  await verifyFile(zip, table, piece => rowEnds.find(piece))
  if (rowEnds.rows !== table.rows + 1)
    refuse(`「${table.path}」有 ${rowEnds.rows - 1} 行，应为 ${table.rows} 行，未作任何改动。${newExport}`)
}

/** The lines of the list of files, whose own checksum has been compared. */
export async function* listAttachments({ zip, manifest }: VerifiedExport): AsyncGenerator<Attachment> {
  const part = zip.parts.get(manifest.attachments.list.path)
  if (!part) return
  const { header, rest } = await splitHeader(zip.read(part))
  if (header !== `${byteOrderMark.toString()}${headerLine(attachmentColumns)}`)
    throw new StartupError(`「${manifest.attachments.list.path}」的标题行不对，未作任何改动。`)
  let pending = ''
  const decoder = new TextDecoder()
  for await (const piece of rest) {
    const lines = (pending + decoder.decode(piece, { stream: true })).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) {
      const attachment = parseAttachment(line)
      if (!attachment || !isFileKey(attachment.key))
        throw new StartupError(`「${manifest.attachments.list.path}」中有看不懂的一行，未作任何改动。`)
      yield attachment
    }
  }
}

async function verifyAttachments(verified: VerifiedExport, paths: Set<string>): Promise<void> {
  await verifyFile(verified.zip, verified.manifest.attachments.list)
  for await (const attachment of listAttachments(verified)) {
    if (!attachment.path) continue
    paths.add(attachment.path)
    await verifyFile(verified.zip, attachment)
  }
}

async function verifyParts(verified: VerifiedExport, migrations: string): Promise<void> {
  const { zip, manifest } = verified
  refuseUnknownVersion(manifest, migrations)
  const { tables, readme, attachments } = manifest
  const paths = new Set([
    manifestPath,
    readme.path,
    attachments.list.path,
    ...tables.map(table => table.path),
  ])
  await verifyFile(zip, readme)
  for (const table of tables) {
    await verifyTable(zip, table)
  }
  await verifyAttachments(verified, paths)
  compareParts(zip, paths)
}

/**
 * Reads the whole export and compares every digest and count, so that a damaged, changed or strange one is
 * refused before anything is written.
 */
export async function verifyExport(file: string, migrations: string): Promise<VerifiedExport> {
  if (!existsSync(file)) return refuse(`未找到导出文件 ${file}。`)
  let zip: ZipFileReader | undefined
  try {
    zip = await ZipFileReader.open(file)
    const verified = { zip, manifest: await readManifest(zip, file) }
    await verifyParts(verified, migrations)
    return verified
  } catch (error) {
    await zip?.close()
    if (error instanceof StartupError) throw error
    return refuse(`${file} 已损坏或不是 zip 文件，未作任何改动（${errorMessage(error)}）。${newExport}`)
  }
}
