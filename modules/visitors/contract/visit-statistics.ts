import { call } from '#kit/contract/call.ts'
import { choice, day, int, lines } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { visitorKind } from './choices.ts'
import { visitRecord } from './visit-record.ts'

/** VIS-8: invited, arrived, by kind, by hour, average stay; of 366 days at most. */
export const getVisitStatistics = call({
  route: 'GET InviteKpi/Get',
  aliases: ['KPIStatistics/GetVisitorSummary', 'SummeryReportStatistics/GetVisitorSummary'],
  title: '查询访客统计',
  needs: menu.visit.permissions.view,
  input: shape({
    projectCode: estateField({ required: false }),
    from: day('开始日期', { required: true, wire: ['BeginDate', 'From'] }),
    to: day('结束日期', { required: true, wire: ['EndDate', 'To'] }),
  }),
  output: shape(
    {
      invited: int('邀请人次', { required: true, wire: 'Invited' }),
      arrived: int('应邀到访', { required: true, wire: 'Arrived' }),
      walkIns: int('临时来访', { required: true, wire: 'WalkIns' }),
      people: int('到访人数', { required: true, wire: 'People' }),
      overdue: int('超时离开', { required: true, wire: 'Overdue' }),
      refused: int('核验未通过', { required: true, wire: 'Refused' }),
      overused: int('超次通行', { required: true, wire: 'Overused' }),
      /** Of those who have left. */
      averageStay: int('平均停留', { required: true, unit: '分钟', wire: 'AverageStay' }),
      kinds: lines(
        '按类别',
        {
          visitorKind: choice('访客类别', visitorKind, { required: true, wire: 'VisitorKind' }),
          visits: int('到访', { required: true, wire: 'Visits' }),
        },
        { required: true, wire: 'Kinds' },
      ),
      hours: lines(
        '按小时',
        {
          hour: int('小时', { required: true, wire: 'Hour' }),
          visits: int('到访', { required: true, wire: 'Visits' }),
        },
        { required: true, wire: 'Hours' },
      ),
    },
    { entity: visitRecord.name },
  ),
})
