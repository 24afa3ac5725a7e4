import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Invitation } from '../contract/invitation.ts'
import {
  addInvitation,
  allowInvitation,
  auditRequest,
  editInvitation,
  extendInvitation,
  type InvitationDetail,
} from '../contract/invitations.ts'
import { AnswersControl } from './answers-control.tsx'

type Asked = Partial<NonNullable<typeof addInvitation.input.T>>

const isNot =
  (...types: readonly Asked['hostType'][]) =>
  ({ hostType }: Asked): boolean =>
    !types.includes(hostType)

const visitKeys: FormFieldGroup['keys'] = [
  'visitorKind',
  'personCount',
  'beginTime',
  'endTime',
  { key: 'reason', wide: true },
  { key: 'visitors', wide: true },
  {
    key: 'hostPaysParking',
    wide: true,
    help: '记入被访人房屋的账单，上限见「访客设置」',
    isHidden: ({ hostType }: Asked) => hostType !== undefined && hostType !== 'resident',
  },
  { key: 'answers', wide: true, control: AnswersControl },
]

export const AddDialog = actionDialog({
  call: addInvitation,
  title: () => '登记邀访',
  submitLabel: '登记邀访',
  presentation: 'drawer',
  keys: [
    'hostType',
    { key: 'hostUserId', isRequired: true, isHidden: isNot('resident') },
    { key: 'workerId', isRequired: true, isHidden: isNot('company') },
    {
      key: 'roomId',
      isHidden: isNot('resident', 'staff'),
      help: ({ hostType }: Asked) =>
        hostType === 'staff' ? '来访到某处房屋时选择' : '住户只有一处房屋时可不选',
    },
    { key: 'ruleId' },
    ...visitKeys,
  ],
  target: ({ projectCode }: { readonly projectCode?: string | undefined }) =>
    projectCode === undefined ? {} : { projectCode },
  initial: () => ({
    hostType: 'resident' as const,
    visitorKind: 'friend' as const,
    personCount: 1,
    visitors: [{ visitorName: '' }],
  }),
  doneText: (_, { invitationNo, state }) =>
    `已登记邀访 ${invitationNo}${state === 'pending' ? '，等待审批' : ''}`,
})

export const EditDialog = actionDialog({
  call: editInvitation,
  title: (row: InvitationDetail) => `修改邀访 ${row.invitationNo}`,
  submitLabel: '保存',
  presentation: 'drawer',
  keys: visitKeys,
  target: ({ id, version }) => ({ id, ...(version === undefined ? {} : { version }) }),
  initial: ({ visitorKind, personCount, beginTime, endTime, reason, answers, visitors }) => ({
    visitorKind,
    personCount,
    beginTime,
    endTime,
    ...(reason === undefined ? {} : { reason }),
    ...(answers === undefined ? {} : { answers }),
    visitors: visitors.filter(({ state }) => state !== 'cancelled'),
  }),
  doneText: ({ invitationNo }) => `已修改邀访 ${invitationNo}`,
})

const nameOf = ({ invitationNo, visitorName }: Invitation): string => `${invitationNo}（${visitorName}）`

export const AllowDialog = actionDialog({
  call: allowInvitation,
  title: (row: Invitation) => `${row.stage === 'host' ? '代被访人确认' : '通过'}邀访 ${nameOf(row)}`,
  submitLabel: '通过',
  keys: [{ key: 'reason', wide: true }],
  target: ({ id }) => ({ id }),
  doneText: (_, { state }) => (state === 'pending' ? '已确认，等待物业审核' : '已通过'),
})

export const RefuseDialog = actionDialog({
  call: auditRequest,
  title: (row: Invitation) => `驳回邀访 ${nameOf(row)}`,
  submitLabel: '驳回',
  keys: [{ key: 'reason', label: '驳回原因', wide: true, isRequired: true }],
  target: ({ id }) => ({ id, isPassed: false }),
  doneText: () => '已驳回',
})

export const ExtendDialog = actionDialog({
  call: extendInvitation,
  title: (row: Invitation) => `延长来访 ${nameOf(row)}`,
  submitLabel: '延长',
  keys: [{ key: 'endTime', wide: true }],
  target: ({ id }) => ({ id }),
  initial: ({ endTime }) => ({ endTime }),
  doneText: (_, { endTime }) => `已延长至 ${endTime.slice(0, 16)}`,
})
