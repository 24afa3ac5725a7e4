import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { addDaysToMoment } from '#kit/domain/moment.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { Refused, UnknownSecret, refuse, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { countHit, hitsOf } from '#kit/server/rate-limit.ts'
import { systemReadScope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import { shareState } from '../contract/choices.ts'
import { fileShare, type FileShare } from '../contract/folder.ts'
import { downloadShared, listShares, openShare, revokeShare, shareNodes } from '../contract/transfer.ts'
import { defaultShareDays } from '../contract/limits.ts'
import { archiveName, sendStoredFile } from './download.ts'
import { findContents, zipFiles, type Contents } from './archive.ts'
import { requireProjectId } from './node-rows.ts'
import { findSelectedNodes } from './selection.ts'

/** Without characters that people confuse. */
const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codeLength = 6

const newAccessCode = (): string =>
  Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')

/** FILE-6: 128 random bits behind the company's number, by which the link is found. */
const newToken = (ownerId: Id): string => `${ownerId.toString(36)}-${randomBytes(16).toString('base64url')}`

const ownerOf = (token: string): Id => {
  const [ownerId = ''] = token.split('-')
  return /^[0-9a-z]{1,10}$/.test(ownerId) ? parseId(Number.parseInt(ownerId, 36)) : 0
}

const isActive = sql`t.state = ${code(shareState, 'active')}`

async function findActiveShare(app: App, token: string): Promise<FileShare | undefined> {
  const ownerId = ownerOf(token)
  if (ownerId === 0) return undefined
  const [share] = await findAll(
    app.database.reader(ownerId),
    fileShare,
    systemReadScope(ownerId),
    {},
    { where: [sql`t.token = ${token}`, isActive, sql`t.expire_time > ${new Date(app.clock())}`], limit: 1 },
  )
  return share
}

/** One message for unknown and expired links, so that guessing reveals nothing. */
async function requireShare(app: App, token: string): Promise<FileShare> {
  const share = await findActiveShare(app, token)
  if (!share) throw new UnknownSecret('链接不存在或已失效，请联系分享人')
  return share
}

const hasCode = ({ accessCode }: FileShare, enteredCode = ''): boolean => {
  if (!accessCode) return true
  const expected = Buffer.from(accessCode)
  const actual = Buffer.from(enteredCode.trim().toUpperCase())
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Wrong codes that one share takes in so many seconds, from whatever addresses. */
const maxWrongCodes = 20
const wrongCodeSeconds = 600
const wrongCode = '提取码不正确，请重新输入'

/**
 * Refuses a wrong code, and after many of them every code of that share for a while: with many addresses a
 * code is guessed as easily as with one. Shares without a code, and other shares, are not slowed.
 */
async function requireCode(app: App, share: FileShare, enteredCode: string | undefined): Promise<void> {
  if (!share.accessCode) return
  const key = `share-code ${share.token}`
  if ((await hitsOf(app.database, key, wrongCodeSeconds)) >= maxWrongCodes)
    throw new Refused(resultCode.rateLimited, '提取码错误次数过多，请稍后再试')
  if (hasCode(share, enteredCode)) return
  if (!enteredCode) refuse(wrongCode)
  await countHit(app.database, key, wrongCodeSeconds)
  throw new UnknownSecret(wrongCode)
}

const contentsOf = (app: App, ownerId: Id, share: FileShare): Promise<Contents> =>
  findContents(
    app.database.reader(ownerId),
    ownerId,
    share.projectCode,
    (share.fileIds ?? []).map(parseId),
    (share.dirIds ?? []).map(parseId),
  )

const countView = (app: App, ownerId: Id, id: Id): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update file_share set view_count = view_count + 1 where owner_id = ${ownerId} and id = ${id}
    `),
  )

export const shareHandlers = [
  writes(shareNodes, async ({ projectCode, days = defaultShareDays, hasCode: needsCode, ...ids }, c) => {
    const { tx, scope, now } = c
    const { folders, files } = await findSelectedNodes(tx, scope, { projectCode, ...ids })
    return insert(tx, fileShare, scope, {
      projectCode,
      token: newToken(scope.ownerId),
      fileIds: files.map(file => String(file.id)),
      dirIds: folders.map(folder => String(folder.id)),
      ...(needsCode !== false && { accessCode: newAccessCode() }),
      expireTime: addDaysToMoment(now, days),
      viewCount: 0,
      sharerName: scope.name,
      state: 'active',
    })
  }),
  reads(listShares, async ({ projectCode, id, type }, { db, scope, app }) => {
    await requireProjectId(db, scope.ownerId, projectCode)
    const column = type === 'folder' ? sql`t.dir_ids` : sql`t.file_ids`
    const ofNode = id === undefined ? sql`true` : sql`${column} @> array[${String(id)}]::text[]`
    const isUnexpired = sql`t.expire_time > ${new Date(app.clock())}`
    return findAll(
      db,
      fileShare,
      scope,
      { projectCode },
      { where: [isActive, isUnexpired, ofNode], limit: 200 },
    )
  }),
  writes(revokeShare, async ({ id, version }, { tx, scope }) => {
    const share = await requireById(tx, fileShare, scope, id, { lock: true })
    if (share.state !== 'active') refuse('分享已撤销')
    await update(tx, fileShare, scope, id, { state: 'revoked' }, { version })
  }),
  anonymous(openShare, async ({ token, code: enteredCode }, { app }) => {
    const share = await requireShare(app, token)
    const { expireTime, sharerName } = share
    if (!enteredCode && share.accessCode) return { needsCode: true }
    await requireCode(app, share, enteredCode)
    const ownerId = ownerOf(token)
    const { files } = await contentsOf(app, ownerId, share)
    await countView(app, ownerId, share.id)
    return {
      needsCode: false,
      expireTime,
      ...(sharerName !== undefined && { sharerName }),
      files: files.map(({ id, path, fileSize }) => ({ id, name: path, fileSize })),
    }
  }),
  anonymous(downloadShared, async ({ token, code: enteredCode, id }, { app }) => {
    const share = await requireShare(app, token)
    await requireCode(app, share, enteredCode)
    const ownerId = ownerOf(token)
    const contents = await contentsOf(app, ownerId, share)
    const { files } = contents
    const [only] = share.dirIds?.length || files.length > 1 ? [] : files
    if (id === undefined && !only) return zipFiles(app, ownerId, archiveName(['分享的文件']), contents)
    const asked = id === undefined ? only : files.find(each => each.id === id)
    const file = asked ?? refuse('文件不在该分享中，请刷新')
    return sendStoredFile(app, ownerId, { name: file.path.split('/').at(-1) ?? '', fileKey: file.fileKey })
  }),
]
