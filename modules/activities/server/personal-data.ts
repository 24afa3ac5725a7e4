import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { signPayState } from '../contract/choices.ts'

registerPersonalData({
  tables: {
    activity: {
      purpose: '社区活动的发布人与取消原因',
      ground: 'records',
      columns: { content: 'text', publisher_name: 'name', cancel_reason: 'text' },
    },
    activity_sign: {
      purpose: '社区活动的报名与签到',
      ground: 'contract',
      retention: 'activitySigns',
      people: { resident: inColumn('user_id') },
      isDeleted: true,
      columns: { remark: 'note', cancel_reason: 'note' },
      exported: [
        { heading: '活动', table: 'activity', column: 'title', by: 'activity_id' },
        'person_count',
        'state',
        'fee_amount',
        'pay_state',
        'sign_time',
        'check_in_time',
        'remark',
      ],
    },
  },
  retention: [
    {
      key: 'activitySigns',
      label: '活动报名',
      content: '报名与签到，自最后变动之日起',
      basis: '活动结束、费用与纠纷处理完毕后不再需要',
      unit: 'day',
      initial: 730,
      min: 90,
      max: 1100,
      steps: [
        {
          table: 'activity_sign',
          // What is still to come or to go back is found from it.
          due: ({ before }) => sql`
            t.update_time < ${before}
            and (t.pay_state is null or t.pay_state not in ${codes(signPayState, 'unpaid', 'refundDue')})
          `,
        },
      ],
    },
  ],
  notPersonal: ['activity.address', 'activity.cover', 'activity.content_files'],
})
