import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, idOf, int, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { materialType } from './choices.ts'
import { accountField } from './estate-binding.ts'

const { permissions } = menu.material
const ofAccount = { ...accountField, hiddenIn: ['table', 'sheet', 'detail', 'form'] as const }
const everywhere = ['table', 'form', 'filter', 'sheet', 'detail'] as const
const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const

export const wechatImageGroup = entity(
  'wechatImageGroup',
  '素材分组',
  { table: 'wechat_image_group', tenancy: 'company', title: 'groupName', order: ['sort', 'id'] },
  {
    accountId: ofAccount,
    groupName: text('分组名称', { required: true, max: 20, searchable: true }),
    sort: int('排序', { min: 0, max: 9999, initial: 0, hiddenIn: ['filter'] }),
  },
)

export type WechatImageGroup = Row<typeof wechatImageGroup>

export const wechatImageGroups = crud(wechatImageGroup, {
  path: 'ThePublicManagement',
  permissions,
  operations: ['list', 'save', 'delete'],
  filters: ['accountId'],
  search: { ids: idsFilter },
  list: { route: 'GET ThePublicManagement/GetImageGroupList' },
  save: { route: 'POST ThePublicManagement/SaveImageGroup' },
  delete: { route: 'DELETE ThePublicManagement/DeleteImageGroup' },
})

/** A picture, video, sound or article of an account; the platform gets it when it is needed, or before. */
export const wechatMaterial = entity(
  'wechatMaterial',
  '公众号素材',
  { table: 'wechat_material', tenancy: 'company', title: 'title', order: ['-id'] },
  {
    accountId: ofAccount,
    mediaType: choice('类型', materialType, {
      required: true,
      initial: 'image',
      immutable: true,
      wire: 'MediaType',
    }),
    title: text('标题', { required: true, max: 64, searchable: true, wire: 'Title' }),
    groupId: ref('分组', 'wechatImageGroup', {
      wire: ['GroupID', 'GroupId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    groupName: lookup('分组', 'groupId', 'groupName', { wire: 'GroupName' }),
    media: file('文件', {
      wire: 'MediaUrl',
      help: '图片不超过 2 MB（JPG、PNG、GIF），语音不超过 2 MB（MP3），视频不超过 10 MB（MP4）；图文的封面',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    author: text('作者', { max: 8, ...inForm }),
    digest: text('摘要', { max: 120, ...inForm }),
    content: text('正文', { max: 20_000, wire: 'Content', ...inForm }),
    pictureKeys: list('正文图片', { max: 50, holdsFiles: true, immutable: true, hiddenIn: everywhere }),
    sourceUrl: text('原文链接', {
      max: 500,
      wire: 'Url',
      help: '不填时打开本系统的图文页',
      ...inForm,
    }),
    mediaId: text('素材编号', { max: 120, immutable: true, wire: ['MediaId', 'MediaID'], ...inForm }),
    uploadTime: moment('上传时间', { immutable: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type WechatMaterial = Row<typeof wechatMaterial>

/** What a form that chooses material asks by. */
const pickedBy = {
  ids: idsFilter,
  ofAccount: idOf('公众号', { min: 1 }),
  ofType: choice('类型', materialType),
}

export const wechatMaterials = crud(wechatMaterial, {
  path: 'ThePublicManagement',
  permissions,
  operations: ['list', 'get', 'save', 'delete'],
  filters: ['accountId', 'mediaType', 'groupId'],
  search: pickedBy,
  without: ['mediaId', 'uploadTime', 'pictureKeys'],
  list: {
    route: 'GET ThePublicManagement/GetMaterialList',
    aliases: ['ThePublicManagement/GetMediaList'],
    title: '查询公众号素材',
  },
  get: { route: 'GET ThePublicManagement/GetMaterialOne' },
  save: { route: 'POST ThePublicManagement/SaveMaterial' },
  delete: {
    route: 'DELETE ThePublicManagement/DeleteMaterial',
    aliases: ['ThePublicManagement/DeleteMedia'],
  },
})

export const pickMaterials = pickerOf(wechatMaterial, {
  route: 'GET ThePublicManagement/GetMaterialPick',
  title: '选择公众号素材',
  fields: ['id', 'accountId', 'mediaType', 'title'],
  search: pickedBy,
})

export const uploadMaterial = call({
  route: 'POST ThePublicManagement/UploadMedia',
  title: '上传素材到微信',
  needs: permissions.upload,
  perMinute: 60,
  input: shape({ id: recordIdField }),
  output: recordOf(wechatMaterial),
  affects: ['wechatMaterial'],
})
