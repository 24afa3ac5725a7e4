import { sql } from '#kit/server/db.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { orderState } from '../contract/choices.ts'
import { paths } from '../module.ts'

const ended = codes(orderState, 'completed', 'closed', 'rejected', 'cancelled')

/** What belongs to an order of the person. */
const withOrder = { ownWith: ['work_order', 'order_id'] } as const

const ofOrder = {
  heading: '工单编号',
  table: 'work_order',
  column: 'order_no',
  by: 'order_id',
}

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
        title: 'note',
        content: 'note',
        address: 'note',
        photos: 'files',
        videos: 'files',
        registrar_name: 'kept',
        handler_name: 'kept',
        dispatcher_name: 'kept',
        suspend_reason: 'note',
        request_reason: 'note',
        result_text: 'note',
        result_photos: 'kept',
      },
      exported: [
        'order_no',
        'type_name',
        'address',
        'reporter_name',
        'reporter_phone',
        'title',
        'content',
        'register_time',
        'end_time',
        'state',
        'total_cost',
        'result_text',
      ],
    },
    work_order_record: {
      purpose: '工单的处理过程',
      ground: 'contract',
      ...withOrder,
      columns: {
        // Beside the reporter, the staff who handled the order act in its records.
        operator_name: 'named',
        person_name: 'kept',
        content: 'note',
        photos: 'files',
      },
      exported: [ofOrder, 'action', 'action_time', 'content'],
    },
    work_order_evaluation: {
      purpose: '工单评价',
      ground: 'contract',
      ...withOrder,
      columns: { evaluator_name: 'name', content: 'note', photos: 'files' },
      exported: [ofOrder, 'score', 'content', 'evaluate_time'],
    },
    work_order_visit: {
      purpose: '工单回访',
      ground: 'contract',
      ...withOrder,
      columns: { visitor_name: 'kept', content: 'note' },
      exported: [ofOrder, 'content'],
    },
    work_order_charge: { purpose: '工单费用备注', ground: 'contract', columns: { remark: 'text' } },
    work_order_duty: { purpose: '停止接单的原因', ground: 'employment', columns: { reason: 'text' } },
    work_order_person_config: { purpose: '派单规则备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['work_order_type.remark', 'work_order_role.role_name'],
  blockers: [
    {
      // By the telephone alone. An order of somebody else whose text names the person keeps from nothing.
      label: '未结束的工单',
      advice: '请先完成、关闭或取消工单；不是本人的，请撤回请求，重新登记后不确认该工单',
      path: paths.record,
      found: {
        anyone: ({ ownerId, numbers, confirmed }) => sql`
          select order_no as number
          from work_order
          where owner_id = ${ownerId}
            and id = any(${[...confirmed('work_order')]}::bigint[])
            and reporter_phone = any(${[...numbers]}::text[])
            and ${notDeleted()}
            and state not in ${ended}
        `,
      },
    },
    {
      label: '未结束的工单',
      advice: '请先完成、关闭或取消工单',
      path: paths.record,
      found: {
        resident: ({ ownerId, ids }) => sql`
          select order_no as number
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
      label: '已结束工单的报事人',
      content: '报事人姓名、电话，自工单结束之日起；工单本身留存',
      basis: '民法典第一百八十八条：诉讼时效三年',
      unit: 'month',
      initial: 36,
      min: 6,
      max: 240,
      steps: [
        {
          table: 'work_order',
          clears: ['reporter_name', 'reporter_phone'],
          due: ({ before }) => sql`
            (t.reporter_phone is not null or t.reporter_name is not null)
            and t.state in ${ended}
            and coalesce(t.end_time, t.update_time) < ${before}
          `,
        },
      ],
    },
  ],
})
