import { call } from '#kit/contract/call.ts'
import { choice, pickFields, ref } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { visitorKind } from './choices.ts'
import { inviteFields } from './invitations.ts'
import { questionFields } from './question.ts'

/** What the rule of a visit asks, as far as the visit is known; nothing where no rule applies. */
export const listQuestions = call({
  route: 'GET InviteRules/GetQuestions',
  title: '查询邀请规则的问题',
  needs: menu.invitation.permissions.view,
  input: shape({
    ...pickFields(inviteFields, ['projectCode', 'hostType', 'hostUserId', 'roomId', 'workerId', 'ruleId']),
    visitorKind: choice('访客类别', visitorKind, { required: true, wire: 'VisitorKind' }),
    /** One that is changed keeps its rule. */
    invitationId: ref('邀访', 'invitation', { wire: 'InviteID' }),
  }),
  output: listOfRows(questionFields),
})
