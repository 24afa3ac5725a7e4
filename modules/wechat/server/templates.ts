import { invalidField, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { anonymous } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import {
  listPlatformTemplates,
  sendTrialTemplate,
  wechatTemplate,
  wechatTemplates,
  type WechatTemplate,
} from '../contract/template.ts'
import { unknownVariables } from '../domain/message-text.ts'
import { scopeOfCaller } from './account-context.ts'
import { requireFollower } from './followers.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { callPlatform, sendTemplateMessage } from './platform/platform-client.ts'
import { refusePlatform } from './platform/refuse-platform.ts'
import { filledFields } from './template-sending.ts'

type Draft = Pick<WechatTemplate, 'event' | 'fieldValues'>

const inContent = (Message: string): FieldFault[] => [{ Field: 'DataJson', Message }]

function valueFaults({ event, fieldValues = [] }: Draft): FieldFault[] {
  const names = fieldValues.map(each => each.name.trim())
  if (!names.length) return inContent('请填写模板内容，至少一个字段')
  if (new Set(names).size < names.length) return inContent('字段重复，请删除多余的')
  const [unknown] = fieldValues.flatMap(({ value }) => unknownVariables(value, event))
  return unknown === undefined
    ? []
    : inContent(`变量 {${unknown}} 不存在，可用 {name} {room} {project} {title} {content} {time}`)
}

const crudServer = crudHandlers(wechatTemplates, {
  unique: { wechat_template_event_live: '该通知事项已设置模板，请编辑已有的' },
  refusesChangeOf: ['accountId', 'event'],
  check: (draft: Draft, _c, before) => valueFaults({ ...draft, event: before?.event ?? draft.event }),
})

interface PlatformTemplate {
  readonly template_id: string
  readonly title: string
  readonly content: string
}

const listHandler = anonymous(listPlatformTemplates, async ({ accountId }, c) => {
  const { ownerId } = scopeOfCaller(c)
  const account = await requireStoredAccount(c.app, c.app.database.reader(ownerId), ownerId, accountId)
  const { template_list: found = [] } = await refusePlatform(
    callPlatform<{ template_list?: readonly PlatformTemplate[] }>(
      c.app,
      account,
      '/cgi-bin/template/get_all_private_template',
    ),
  )
  return found.map(({ template_id: templateId, title, content }) => ({
    templateId,
    templateTitle: title,
    content,
  }))
})

const trialHandler = anonymous(sendTrialTemplate, async ({ id, followerId }, c) => {
  const { app } = c
  const scope = scopeOfCaller(c)
  const reader = app.database.reader(scope.ownerId)
  const template = await requireById(reader, wechatTemplate, scope, id)
  const follower = await requireFollower(reader, scope, followerId)
  if (follower.accountId !== template.accountId) throw invalidField('FollowerID', '请选择该公众号的关注者')
  if (!follower.isFollowing) return refuse('该用户已取消关注，请选择其他关注者')
  const account = await requireStoredAccount(app, reader, scope.ownerId, template.accountId)
  const values = {
    name: '张三',
    room: '1栋1单元101',
    project: follower.estateName ?? '示例项目',
    title: '试发的消息',
    content: '试发的消息',
    time: fromInstant(app.clock()).slice(0, 16),
  }
  await refusePlatform(
    sendTemplateMessage(app, account, {
      openId: follower.openId,
      templateId: template.templateId,
      data: filledFields(template, values),
    }),
  )
})

export const templateServer = joinServers(crudServer, { handlers: [listHandler, trialHandler] })
