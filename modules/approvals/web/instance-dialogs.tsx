import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import {
  addTaskSigner,
  approveRequest,
  commentRequest,
  reassignTask,
  refuseRequest,
  terminateRequest,
  transferTask,
  withdrawRequest,
} from '../contract/instance-actions.ts'
import { type InstanceDetail } from '../contract/instance.ts'

const target = ({ id }: InstanceDetail) => ({ id })
const files = { key: 'attachments', wide: true, control: imagesControl }

/** The dialogs of a request, by what they do. */
export const instanceDialogs = {
  approve: actionDialog({
    call: approveRequest,
    title: (instance: InstanceDetail) => `同意「${instance.title}」`,
    submitLabel: '同意',
    keys: [{ key: 'opinion', wide: true }, files],
    target,
    doneText: () => '已同意',
  }),
  refuse: actionDialog({
    call: refuseRequest,
    title: (instance: InstanceDetail) => `驳回「${instance.title}」`,
    submitLabel: '驳回',
    keys: [{ key: 'opinion', wide: true }, 'refuseTo', files],
    target,
    initial: ({ refuseTo }) => (refuseTo ? { refuseTo } : undefined),
    doneText: () => '已驳回',
  }),
  transfer: actionDialog({
    call: transferTask,
    title: (instance: InstanceDetail) => `转交「${instance.title}」`,
    submitLabel: '转交',
    keys: ['to', { key: 'opinion', wide: true }],
    target,
    doneText: () => '已转交',
  }),
  addSigner: actionDialog({
    call: addTaskSigner,
    title: (instance: InstanceDetail) => `加签「${instance.title}」`,
    submitLabel: '加签',
    keys: [
      { key: 'to', help: '加签的人同意之后，本节点才能通过' },
      { key: 'opinion', wide: true },
    ],
    target,
    doneText: () => '已加签',
  }),
  withdraw: actionDialog({
    call: withdrawRequest,
    title: (instance: InstanceDetail) => `撤回「${instance.title}」`,
    submitLabel: '撤回',
    keys: [{ key: 'reason', wide: true }],
    target,
    doneText: () => '已撤回',
  }),
  giveUp: actionDialog({
    call: terminateRequest,
    title: (instance: InstanceDetail) => `放弃「${instance.title}」`,
    submitLabel: '放弃申请',
    keys: [{ key: 'reason', wide: true }],
    target,
    doneText: () => '已放弃申请',
  }),
  terminate: actionDialog({
    call: terminateRequest,
    title: (instance: InstanceDetail) => `终止「${instance.title}」`,
    submitLabel: '终止审批',
    keys: [{ key: 'reason', wide: true }],
    target,
    doneText: () => '已终止',
  }),
  comment: actionDialog({
    call: commentRequest,
    title: (instance: InstanceDetail) => `评论「${instance.title}」`,
    submitLabel: '发表',
    keys: [{ key: 'content', wide: true }, files],
    target,
    doneText: () => '已发表',
  }),
  reassign: actionDialog({
    call: reassignTask,
    title: (instance: InstanceDetail) =>
      `改派 ${instance.tasks.find(task => task.state === 'waiting')?.approverName ?? ''} 的审批`,
    submitLabel: '改派',
    keys: ['to', { key: 'reason', wide: true }],
    target: instance => ({ taskId: instance.tasks.find(task => task.state === 'waiting')?.id ?? 0 }),
    doneText: () => '已改派',
  }),
} as const

export type InstanceDialog = keyof typeof instanceDialogs
