import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { instanceState, taskState } from '../contract/choices.ts'
import { paths } from '../module.ts'

/** Who asked and who decided answers for it: their names stay with the decision. */
registerPersonalData({
  tables: {
    process_instance: {
      purpose: '申请的内容与结果',
      ground: 'employment',
      people: { manager: inColumn('applicant_id') },
      columns: { applicant_name: 'kept', title: 'text', form: 'json', end_reason: 'text' },
      exported: ['instance_no', 'title', 'biz_type', 'state', 'apply_time', 'finish_time'],
    },
    process_form: {
      purpose: '申请表的历次内容',
      ground: 'employment',
      columns: { sender_name: 'kept', form: 'json', attachments: 'kept' },
    },
    process_task: {
      purpose: '审批意见与签名',
      ground: 'employment',
      people: { manager: inColumn('approver_id') },
      columns: {
        approver_name: 'kept',
        principal_name: 'kept',
        opinion: 'text',
        attachments: 'kept',
        signature: 'kept',
      },
      exported: ['node_name', 'state', 'opinion', 'start_time', 'handle_time'],
    },
    // Decisions keep the file: it is their signature.
    process_signature: {
      purpose: '审批的手写签名',
      ground: 'employment',
      isDeleted: true,
      people: { manager: inColumn('manager_id') },
      columns: { signature: 'detail' },
    },
    process_comment: {
      purpose: '审批中的评论',
      ground: 'employment',
      people: { manager: inColumn('author_id') },
      columns: { author_name: 'kept', content: 'text', attachments: 'kept' },
      exported: ['content', 'comment_time'],
    },
    process_delegate: {
      purpose: '委托他人审批的原因',
      ground: 'employment',
      people: { manager: inColumn('principal_id') },
      columns: { reason: 'note' },
      exported: ['begin_date', 'end_date', 'reason'],
    },
  },
  blockers: [
    {
      label: '本人发起、未结束的审批',
      advice: '请先办结或撤回',
      path: paths.data,
      found: {
        manager: ({ ownerId, ids }) => sql`
          select instance_no as number
          from process_instance
          where owner_id = ${ownerId}
            and applicant_id = any(${[...ids]}::bigint[])
            and state = ${codeOf(instanceState, 'running')}
        `,
      },
    },
    {
      label: '待本人审批的任务',
      advice: '请先审批或转交',
      path: paths.data,
      found: {
        manager: ({ ownerId, ids }) => sql`
          select i.instance_no as number
          from process_task k
          join process_instance i
            on i.owner_id = ${ownerId} and i.owner_id = k.owner_id and i.id = k.instance_id
          where k.owner_id = ${ownerId}
            and k.approver_id = any(${[...ids]}::bigint[])
            and k.state = ${codeOf(taskState, 'waiting')}
            and i.state = ${codeOf(instanceState, 'running')}
        `,
      },
    },
  ],
})
