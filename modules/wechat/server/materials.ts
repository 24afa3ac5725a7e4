import { readFile } from 'node:fs/promises'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App, StoredFile } from '#kit/server/app.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { storedFileFaults } from '#kit/server/file-access.ts'
import { anonymous, type WriteContext } from '#kit/server/handler.ts'
import { prepareRichText } from '#kit/server/rich-text.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { sql } from '#kit/server/db.ts'
import { materialType } from '../contract/choices.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import {
  pickMaterials,
  uploadMaterial,
  wechatImageGroup,
  wechatImageGroups,
  wechatMaterial,
  wechatMaterials,
  type WechatMaterial,
} from '../contract/material.ts'
import { materialFault, mediaFault } from '../domain/material.ts'
import { menu } from '../module.ts'
import { scopeOfCaller } from './account-context.ts'
import { requireStoredAccount, type StoredAccount } from './platform/account-store.ts'
import { callPlatform } from './platform/platform-client.ts'
import { refusePlatform } from './platform/refuse-platform.ts'

type Draft = Pick<WechatMaterial, 'accountId' | 'mediaType' | 'media' | 'content' | 'sourceUrl' | 'groupId'>

async function fileFaults(
  { mediaType, media }: Draft,
  { app, scope }: WriteContext,
  before?: WechatMaterial,
): Promise<FieldFault[]> {
  if (media === undefined || media === before?.media) return []
  const faults = await storedFileFaults({ app, scope }, 'MediaUrl', [media])
  if (faults.length) return faults
  const [file] = await app.files.describe(scope.ownerId, [media])
  const fault = mediaFault(mediaType, file)
  return fault === undefined ? [] : [{ Field: 'MediaUrl', Message: fault }]
}

async function groupFaults(
  { accountId, groupId }: Draft,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  if (!groupId) return []
  const [group] = await findByIds(tx, wechatImageGroup, scope, [groupId])
  return group?.accountId === accountId
    ? []
    : [{ Field: 'GroupID', Message: '分组不存在或不属于该公众号，请重新选择' }]
}

async function draftFaults(draft: Draft, c: WriteContext, before?: WechatMaterial): Promise<FieldFault[]> {
  const whole = {
    ...draft,
    mediaType: before?.mediaType ?? draft.mediaType,
    accountId: before?.accountId ?? draft.accountId,
  }
  return [...materialFault(whole), ...(await fileFaults(whole, c, before)), ...(await groupFaults(whole, c))]
}

/** The text as it is stored, with its pictures. What changed is no longer what the platform has. */
async function storedText(
  { content }: Draft,
  { app, scope }: WriteContext,
  before?: WechatMaterial,
): Promise<object> {
  const unsent = { mediaId: undefined, uploadTime: undefined }
  if (content === undefined) return { ...unsent, pictureKeys: [] }
  const { html, fileKeys } = await prepareRichText(app, scope, content, before?.pictureKeys)
  return { ...unsent, content: html, pictureKeys: fileKeys }
}

/** The list asks by its own filters, a picker by the account and kind of its form. */
interface MaterialQuery {
  readonly ofAccount?: Id
  readonly ofType?: WechatMaterial['mediaType']
}

/** The picker of material is open: it finds some for those alone whose forms choose one. */
const usingMenus = [menu.material, menu.reply, menu.mass]

const crudServer = crudHandlers(wechatMaterials, {
  refusesChangeOf: ['accountId', 'mediaType'],
  references: { groupId: { unchecked: 'groupFaults asks for its account' } },
  check: draftFaults,
  beforeInsert: (draft: Draft, c) => storedText(draft, c),
  beforeUpdate: storedText,
  filter: (query: MaterialQuery, { scope }) => [
    ...(usingMenus.some(({ permissions }) => hasPermission(scope, permissions.view)) ? [] : [sql`false`]),
    ...(query.ofAccount === undefined ? [] : [sql`t.account_id = ${query.ofAccount}`]),
    ...(query.ofType === undefined ? [] : [sql`t.media_type = ${code(materialType, query.ofType)}`]),
  ],
  pickers: [pickMaterials],
})

const groupServer = crudHandlers(wechatImageGroups, {
  unique: { wechat_image_group_live: '该公众号已有同名分组，请更换名称' },
  refusesChangeOf: ['accountId'],
})

const bytesOf = (file: StoredFile): Promise<Buffer> => file.withPath(path => readFile(path))

async function uploadFile(
  app: App,
  account: StoredAccount,
  type: string,
  key: string | undefined,
): Promise<string> {
  const file = key === undefined ? undefined : await app.files.find(account.ownerId, key)
  if (!file) return refuse('请先上传素材的文件')
  const bytes = new Uint8Array(await bytesOf(file))
  const { media_id: mediaId } = await callPlatform<{ media_id: string }>(
    app,
    account,
    `/cgi-bin/material/add_material?type=${type}`,
    () => {
      const form = new FormData()
      form.append('media', new File([bytes], file.name, { type: file.type }))
      return form
    },
  )
  return mediaId
}

/** An article is a draft at the platform, with its cover. */
async function uploadArticle(app: App, account: StoredAccount, article: WechatMaterial): Promise<string> {
  const thumb = await uploadFile(app, account, 'image', article.media)
  const { media_id: mediaId } = await callPlatform<{ media_id: string }>(
    app,
    account,
    '/cgi-bin/draft/add',
    () => ({
      articles: [
        {
          title: article.title,
          author: article.author ?? '',
          digest: article.digest ?? '',
          content: article.content ?? '',
          content_source_url: article.sourceUrl ?? '',
          thumb_media_id: thumb,
        },
      ],
    }),
  )
  return mediaId
}

/** Uploads under way in this process: several who need the same material wait for one. */
const uploadsByApp = new WeakMap<App, Map<string, Promise<WechatMaterial>>>()

/** The number that the platform gave the material; it gets the material now where it has not. */
export async function ensureUploaded(app: App, scope: Scope, id: Id): Promise<WechatMaterial> {
  const uploads = uploadsByApp.get(app) ?? new Map<string, Promise<WechatMaterial>>()
  uploadsByApp.set(app, uploads)
  const key = `${scope.ownerId}/${id}`
  const current = uploads.get(key)
  if (current) return current
  const upload = uploadOnce(app, scope, id).finally(() => uploads.delete(key))
  uploads.set(key, upload)
  return upload
}

async function uploadOnce(app: App, scope: Scope, id: Id): Promise<WechatMaterial> {
  const reader = app.database.reader(scope.ownerId)
  const material = await requireById(reader, wechatMaterial, scope, id)
  if (material.mediaId !== undefined) return material
  const account = await requireStoredAccount(app, reader, scope.ownerId, material.accountId)
  const { mediaType } = material
  const mediaId = await (mediaType === 'article'
    ? uploadArticle(app, account, material)
    : uploadFile(app, account, mediaType, material.media))
  return app.database.tx(scope.ownerId, tx =>
    update(tx, wechatMaterial, scope, id, { mediaId, uploadTime: fromInstant(app.clock()) }),
  )
}

export const materialServer = joinServers(crudServer, groupServer, {
  handlers: [
    anonymous(uploadMaterial, ({ id }, c) => refusePlatform(ensureUploaded(c.app, scopeOfCaller(c), id))),
  ],
})
