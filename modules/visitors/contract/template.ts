import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, flag, idOf, int, lines, moment, text, type ValueOf } from '#kit/contract/field.ts'
import { byId, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { templatePart, templateState, textAlign } from './choices.ts'

const place = { required: true, min: 0, max: 2000 } as const

/** One part of the picture; positions in pixels of a picture `width` wide. */
export const templatePartFields = {
  part: choice('内容', templatePart, { required: true, wire: 'Part' }),
  text: text('文字', { max: 200, wire: 'Text' }),
  x: int('左', { ...place, wire: 'X' }),
  y: int('上', { ...place, wire: 'Y' }),
  width: int('宽', { required: true, min: 10, max: 2000, wire: 'Width' }),
  fontSize: int('字号', { required: true, initial: 28, min: 10, max: 200, wire: 'FontSize' }),
  color: text('颜色', { max: 7, wire: 'Color' }),
  align: choice('对齐', textAlign, { required: true, initial: 'center', wire: 'Align' }),
} as const

/** How an invitation looks as a picture. */
export const inviteTemplate = entity(
  'inviteTemplate',
  '邀请函模板',
  { table: 'invite_template', tenancy: 'project', title: 'templateName', order: ['id'] },
  {
    projectCode: estateField(),
    templateName: text('名称', { required: true, max: 40, searchable: true }),
    background: file('背景图', { wire: 'BgUrl', hiddenIn: ['filter', 'sheet'] }),
    width: int('宽', { required: true, initial: 750, min: 300, max: 1500, hiddenIn: ['filter', 'table'] }),
    height: int('高', { required: true, initial: 1200, min: 300, max: 2000, hiddenIn: ['filter', 'table'] }),
    parts: lines('内容', templatePartFields, {
      required: true,
      max: 40,
      wire: 'Content',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    isDefault: flag('默认', { required: true, initial: false, hiddenIn: ['filter'] }),
    state: choice('状态', templateState, { required: true, initial: 'draft', hiddenIn: ['form'] }),
  },
)

export type InviteTemplate = Row<typeof inviteTemplate>

export type TemplatePart = ValueOf<typeof templatePartFields>

const { permissions } = menu.template

/** The specification leaves open whether these calls have the base of messages. */
const aliasOf = (name: string): string => `msgcenter/v1/WxInviteTemplate/${name}`

export const inviteTemplates = crud(inviteTemplate, {
  path: 'WxInviteTemplate',
  permissions,
  filters: ['state'],
  list: { route: 'GET WxInviteTemplate/GetListByProjectCode', aliases: [aliasOf('GetListByProjectCode')] },
  add: { route: 'POST WxInviteTemplate/Save', aliases: [aliasOf('Save')] },
  edit: { route: 'POST WxInviteTemplate/Update', aliases: [aliasOf('Update')] },
  delete: { route: 'POST WxInviteTemplate/Delete', aliases: [aliasOf('Delete')] },
})

/** Invitations of the project look like this from now on. */
export const publishTemplate = call({
  route: 'POST WxInviteTemplate/PublishImg',
  aliases: [aliasOf('PublishImg')],
  title: '发布邀请函模板',
  needs: permissions.publish,
  affects: ['inviteTemplate'],
  input: shape({ id: idOf('模板', { required: true, min: 1, wire: 'ID' }) }),
  output: recordOf(inviteTemplate),
})

/** What the picture of one visitor's invitation is drawn of. */
export const invitationPicture = shape({
  width: inviteTemplate.fields.width,
  height: inviteTemplate.fields.height,
  background: inviteTemplate.fields.background,
  parts: inviteTemplate.fields.parts,
  inviteNo: text('邀请码', { required: true, wire: 'InviteNo' }),
  visitorName: text('访客姓名', { required: true, wire: 'VisitorName' }),
  hostName: text('被访人', { required: true, wire: 'HostName' }),
  place: text('拜访地点', { wire: 'Place' }),
  estateName: text('项目名称', { required: true, wire: 'EstateName' }),
  plateNo: text('车牌', { wire: 'PlateNo' }),
  beginTime: moment('起', { required: true, wire: 'BeginTime' }),
  endTime: moment('止', { required: true, wire: 'EndTime' }),
})

export type InvitationPicture = NonNullable<typeof invitationPicture.T>

/** By the number of the visitor; the code in it opens doors, so it is for those who pass invitations on. */
export const getInvitationPicture = call({
  route: 'GET WxInviteTemplate/GetPicture',
  title: '查看邀请函',
  needs: menu.invitation.permissions.link,
  input: byId,
  output: invitationPicture,
})
