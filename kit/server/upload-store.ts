// Where the bytes of resumable uploads wait for the call that takes them.
import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { ERRORS, Upload as TusUpload } from '@tus/utils'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from './app.ts'
import { sql, type Db } from './db.ts'
import { writeDiskFile } from './disk-file.ts'
import { DiskFullError, freeFileBytes, isDiskFullError } from './disk-space.ts'
import { uploadFolder } from './upload.ts'

const idPattern = /^(\d{1,15})-[0-9a-f]{40}$/

export interface UploadSession {
  readonly operatorId: Id
  readonly purpose: string
  readonly name: string
  readonly size: number
}

export const stagedPath = (dataDir: string, id: string): string => join(uploadFolder(dataDir), id)

/** The company of an upload by its id; 0 where it is none. */
export const uploadOwner = (id: string): Id => parseId(idPattern.exec(id)?.[1])

export const findUploadSession = (db: Db, ownerId: Id, id: string): Promise<UploadSession | undefined> =>
  db.one<UploadSession>(sql`
    select operator_id, purpose, name, size
    from upload_session
    where owner_id = ${ownerId} and id = ${id}
  `)

/** Bytes that open uploads have been promised and have not sent yet. */
async function promisedBytes({ database, dataDir }: Pick<App, 'database' | 'dataDir'>): Promise<number> {
  const found = await database
    .reader('*')
    .one<{ bytes: number }>(sql`select coalesce(sum(size), 0)::bigint as bytes from upload_session`)
  const promised = found?.bytes ?? 0
  if (promised === 0) return 0
  const folder = uploadFolder(dataDir)
  const staged = (await readdir(folder).catch(() => [])).filter(name => idPattern.test(name))
  const sizes = await Promise.all(staged.map(name => stat(join(folder, name)).catch(() => undefined)))
  return Math.max(0, promised - sizes.reduce((sum, info) => sum + (info?.size ?? 0), 0))
}

/** Refuses an upload that would not fit beside those that are under way. */
export async function assertUploadSpace(app: Pick<App, 'database' | 'dataDir'>, size: number): Promise<void> {
  const free = await freeFileBytes(app.dataDir)
  if (size > free || size + (await promisedBytes(app)) > free)
    throw new DiskFullError(`no space for an upload of ${size} bytes`)
}

/** Uploads: what each is is in the database, which every server process reads; its bytes are a file. */
export class UploadStore extends FileStore {
  readonly #app: Pick<App, 'database' | 'dataDir'>

  constructor(app: Pick<App, 'database' | 'dataDir'>) {
    const { database, dataDir } = app
    super({
      directory: uploadFolder(dataDir),
      configstore: {
        get: async id => {
          const ownerId = uploadOwner(id)
          const session = await findUploadSession(database.reader(ownerId), ownerId, id)
          return session && new TusUpload({ id, size: session.size, offset: 0 })
        },
        set: async () => {},
        delete: async id => {
          const ownerId = uploadOwner(id)
          await database.tx(ownerId, tx =>
            tx.execute(sql`delete from upload_session where owner_id = ${ownerId} and id = ${id}`),
          )
        },
      },
    })
    this.#app = app
  }

  /** Ends where the last space of the disk begins; what has arrived stays and can go on later. */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const path = stagedPath(this.#app.dataDir, id)
    const hash = offset === 0 ? createHash('sha256') : undefined
    try {
      await pipeline(readable, writeDiskFile(path, { start: offset, hash }))
    } catch (error) {
      throw isDiskFullError(error) ? error : ERRORS.FILE_WRITE_ERROR
    }
    const { size } = await stat(path)
    if (hash) {
      await this.#saveHash(id, size, hash.digest('hex'))
    }
    return size
  }

  /** For an upload that came whole in one request; one that was cut is read again when it is claimed. */
  async #saveHash(id: string, size: number, sha256: string): Promise<void> {
    const ownerId = uploadOwner(id)
    await this.#app.database.tx(ownerId, tx =>
      tx.execute(sql`
        update upload_session
        set sha256 = ${sha256}
        where owner_id = ${ownerId} and id = ${id} and size = ${size}::bigint
      `),
    )
  }

  /** The bytes first: they go also where the database cannot write, as on a full disk. May be repeated. */
  override async remove(id: string): Promise<void> {
    await rm(stagedPath(this.#app.dataDir, id), { force: true })
    await this.configstore.delete(id)
  }
}
