import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { actorKind, orderState } from '../contract/choices.ts'

const ended = codes(orderState, 'completed', 'closed', 'rejected', 'cancelled')

/** Rows of orders that the person reported. */
const ofReporter: PeopleSql = ({ ownerId, ids }) => sql`
  t.order_id in (
    select w.id
    from work_order w
    where w.owner_id = ${ownerId} and w.reporter_id = any(${[...ids]}::bigint[])
  )
`

registerPersonalData({
  tables: {
    work_order: {
      purpose: '报事报修的联系与上门',
      ground: 'contract',
      retention: 'workOrders',
      people: { resident: inColumn('reporter_id') },
      ownBy: ['reporter_phone'],
      searchText: {
        names: ['reporter_name', 'title', 'address', 'handler_name'],
        codes: ['order_no', 'reporter_phone'],
      },
      columns: {
        reporter_name: 'name',
        reporter_phone: 'mobile',
        title: 'text',
        content: 'text',
        photos: 'files',
        videos: 'files',
        registrar_name: 'kept',
        handler_name: 'kept',
        dispatcher_name: 'kept',
        suspend_reason: 'text',
        request_reason: 'text',
        result_text: 'text',
        result_photos: 'kept',
      },
    },
    work_order_record: {
      purpose: '工单的处理过程',
      ground: 'contract',
      people: { resident: ofReporter },
      columns: {
        // Beside the reporter, the staff who handled the order act in its records.
        operator_name: {
          becomes: `case when t.actor = ${codeOf(actorKind, 'requester')} then '已删除人员' else t.operator_name end`,
        },
        person_name: 'kept',
        content: 'text',
        photos: 'kept',
      },
    },
    work_order_evaluation: {
      purpose: '工单评价',
      ground: 'contract',
      people: { resident: ofReporter },
      columns: { evaluator_name: 'name', content: 'text', photos: 'files' },
    },
    work_order_visit: {
      purpose: '工单回访',
      ground: 'contract',
      columns: { visitor_name: 'kept', content: 'text' },
    },
    work_order_charge: { purpose: '工单费用备注', ground: 'contract', columns: { remark: 'text' } },
    work_order_duty: { purpose: '停止接单的原因', ground: 'employment', columns: { reason: 'text' } },
    work_order_person_config: { purpose: '派单规则备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['work_order_type.remark', 'work_order.address', 'work_order_role.role_name'],
  blockers: [
    {
      label: '未结束的工单',
      advice: '请先完成、关闭或取消工单',
      counts: {
        resident: ({ ownerId, ids }) => sql`
          select count(*)::int
          from work_order
          where owner_id = ${ownerId}
            and reporter_id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state not in ${ended}
        `,
      },
    },
  ],
  retention: [
    {
      key: 'workOrders',
      label: '已结束工单的联系方式',
      content: '报事人姓名、电话，自工单结束之日起；工单本身留存',
      basis: '民法典第一百八十八条：诉讼时效三年',
      unit: 'month',
      initial: 36,
      min: 6,
      max: 240,
      steps: [
        {
          table: 'work_order',
          clears: ['reporter_phone'],
          due: ({ before }) => sql`
            t.reporter_phone is not null
            and t.state in ${ended}
            and coalesce(t.end_time, t.update_time) < ${before}
          `,
        },
      ],
    },
  ],
})
