import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { RetentionRule, RetentionStep } from '#kit/server/personal-data/declaration.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { keepDaysPeriod } from '../contract/setting.ts'
import { paths } from '../module.ts'

type Sql = RawBuilder<unknown>

/** What stands in place of a name. */
export const clearedName = '已清除'

/** A moment of a row `t` that lies before the days which its project keeps. */
const isOver = (moment: Sql, { ownerId, dayBegin }: Parameters<RetentionStep['due']>[0]): Sql => sql`
  ${moment} < ${dayBegin}::timestamptz - make_interval(
    days => coalesce(
      (
        select s.keep_days
        from visitor_setting s
        where s.owner_id = ${ownerId} and s.project_code = t.project_code and ${notDeleted('s')}
      ),
      ${keepDaysPeriod.initial}::integer
    )
  )
`

const sets: RetentionStep['sets'] = ({ time }) => ({
  visitor_name: sql`${clearedName}::text`,
  clear_time: sql`${time}::timestamptz`,
})

/** VIS-7: names, phones, documents, plates and pictures of visits that are long over. */
export const keepDaysRule: RetentionRule = {
  key: 'visits',
  label: '访客',
  content: '姓名、手机、证件、车牌、人脸与照片，自来访结束之日起；来访本身留存',
  basis: '保存期限为实现目的所必要的最短时间（个人信息保护法第十九条）',
  unit: 'day',
  ...keepDaysPeriod,
  setIn: { title: '访客设置', path: paths.settings },
  always: sql`
    select owner_id from visit_record where clear_time is null
    union
    select owner_id from visitor_invitation where clear_time is null
  `,
  steps: [
    {
      table: 'visit_record',
      clears: [
        'visitor_name',
        'mobile',
        'cert_type',
        'cert_no',
        'plate_no',
        'check_photo',
        'item_photos',
        'temperature',
        'remark',
      ],
      sets,
      emptiesHistory: true,
      due: of =>
        sql`t.clear_time is null and ${isOver(sql`greatest(t.in_time, coalesce(t.out_time, t.end_time))`, of)}`,
    },
    {
      table: 'visitor_invitation',
      clears: ['visitor_name', 'mobile', 'plate_no', 'answers'],
      sets,
      emptiesHistory: true,
      due: of => sql`t.clear_time is null and ${isOver(sql`t.end_time`, of)}`,
    },
    {
      table: 'invite_visitor',
      clears: ['visitor_name', 'mobile', 'cert_type', 'cert_no', 'face', 'plate_no', 'items', 'check_photo'],
      sets,
      emptiesHistory: true,
      due: of => sql`t.clear_time is null and ${isOver(sql`t.end_time`, of)}`,
    },
  ],
}
