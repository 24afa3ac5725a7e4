import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { instanceState } from '../contract/choices.ts'

/** Who asked and who decided answers for it: their names stay with the decision. */
registerPersonalData({
  tables: {
    process_instance: {
      purpose: '申请的内容与结果',
      ground: 'employment',
      people: { manager: inColumn('applicant_id') },
      columns: { applicant_name: 'kept', title: 'text', form: 'text' },
    },
    process_form: {
      purpose: '申请表的历次内容',
      ground: 'employment',
      columns: { sender_name: 'kept', form: 'text', attachments: 'kept' },
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
    },
    process_comment: {
      purpose: '审批中的评论',
      ground: 'employment',
      people: { manager: inColumn('author_id') },
      columns: { author_name: 'kept', content: 'text', attachments: 'kept' },
    },
    process_delegate: {
      purpose: '委托他人审批的原因',
      ground: 'employment',
      people: { manager: inColumn('principal_id') },
      columns: { reason: 'text' },
    },
  },
  blockers: [
    {
      label: '未结束的审批',
      advice: '请先完成、撤回或转交审批',
      counts: {
        manager: ({ ownerId, ids }) => sql`
          select count(*)::int
          from process_instance
          where owner_id = ${ownerId}
            and applicant_id = any(${[...ids]}::bigint[])
            and state = ${codeOf(instanceState, 'running')}
        `,
      },
    },
  ],
})
