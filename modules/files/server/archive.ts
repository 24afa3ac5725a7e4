import { PassThrough, type Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { ZipFile } from 'yazl'
import type { FileResponse } from '#kit/contract/file-response.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { nameKey, uniqueName } from '../domain/file-name.ts'
import { findFolders, type Folder } from './folders.ts'

/** A file with the folders above it that belong to what was asked for. */
export interface FileAtPath {
  readonly id: Id
  readonly path: string
  readonly fileKey: string
  readonly fileSize: number
}

/** What one archive or one share may hold. */
const maxFiles = 50_000

/** The paths of folders under the roots, each path from its root on. */
function pathsUnder(all: readonly Folder[], roots: readonly Id[]): ReadonlyMap<Id, string> {
  const children = Map.groupBy(all, folder => folder.pid)
  const paths = new Map<Id, string>()
  const walk = (folder: Folder, above: string): void => {
    const path = `${above}${folder.name}/`
    paths.set(folder.id, path)
    children.get(folder.id)?.forEach(child => walk(child, path))
  }
  all.filter(folder => roots.includes(folder.id)).forEach(root => walk(root, ''))
  return paths
}

/** What an archive or a share holds: files, and the folders that hold none, by their paths. */
export interface Contents {
  readonly files: readonly FileAtPath[]
  readonly emptyFolders: readonly string[]
}

/** The files themselves, then all under the folders, none of them deleted. */
export async function findContents(
  db: Db,
  ownerId: Id,
  projectCode: string,
  fileIds: readonly Id[],
  folderIds: readonly Id[],
): Promise<Contents> {
  const paths = folderIds.length
    ? pathsUnder(await findFolders(db, ownerId, projectCode), folderIds)
    : new Map<Id, string>()
  const rows = await db.rows<{ id: Id; dirId: Id; name: string; fileKey: string; fileSize: number }>(sql`
    select id, dir_id, name, file_key, file_size
    from file_info
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and ${notDeleted()}
      and (id = any(${[...fileIds]}::bigint[]) or dir_id = any(${[...paths.keys()]}::bigint[]))
    order by dir_id, sort_name, id
    limit ${maxFiles + 1}
  `)
  if (rows.length > maxFiles) return refuse(`一次最多 ${maxFiles} 个文件，请分批操作`)
  const chosen = new Set(fileIds)
  const taken = new Set<string>()
  const files = rows.map(({ dirId, name, ...file }) => {
    const path = paths.get(dirId)
    const full = path === undefined || chosen.has(file.id) ? uniqueName(name, taken) : `${path}${name}`
    taken.add(nameKey(full))
    return { ...file, path: full }
  })
  const used = new Set(rows.map(row => row.dirId))
  return { files, emptyFolders: [...paths].flatMap(([id, path]) => (used.has(id) ? [] : [path])) }
}

/**
 * Files as one zip, written while it is read: none of it is held in memory or on disk. Not compressed, as
 * most documents and pictures are already. The first file is opened before the answer begins, so that bytes
 * that cannot be reached are still refused with a message.
 */
export async function zipFiles(
  app: Pick<App, 'files'>,
  ownerId: Id,
  name: string,
  { files, emptyFolders }: Contents,
): Promise<FileResponse> {
  const [head] = files
  if (!head) return refuse('所选文件夹是空的，没有可下载的文件')
  const zip = new ZipFile()
  const read = async (fileKey: string): Promise<Readable> => {
    const stored = await app.files.find(ownerId, fileKey)
    if (!stored) throw new Error(`the bytes of file ${fileKey} are missing`)
    return stored.read()
  }
  const first = await read(head.fileKey)
  first.on('error', () => {})
  const open = callbackify(async (file: FileAtPath) => (file === head ? first : read(file.fileKey)))
  for (const file of files) {
    zip.addReadStreamLazy(file.path, { compress: false, size: file.fileSize }, done => open(file, done))
  }
  for (const path of emptyFolders) {
    zip.addEmptyDirectory(path)
  }
  zip.end()
  const body = new PassThrough()
  zip.outputStream.pipe(body)
  body.on('close', () => first.destroy())
  // An error of one file must break the download: a partial archive looks like a complete one.
  zip.on('error', error => body.destroy(toError(error)))
  return { name, type: 'application/zip', body }
}
