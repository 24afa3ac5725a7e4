import { call } from '#kit/contract/call.ts'
import { choice, day, int, lines, moment, money, month, part, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { moneyTerm } from '#modules/fees/contract/money-terms.ts'
import { menu } from '../module.ts'
import { feeMonth } from './month.ts'
import { moneyFigure } from './report.ts'

const collectionFields = {
  received: moneyTerm('received'),
  refunded: moneyTerm('refunded'),
  net: moneyTerm('net'),
}

/**
 * The finance home: one month of a project or of all (STAT-4…8), what was received in the day and the month,
 * the months before, what is unpaid by age. Items that do not count for the rate (STAT-8) are in none of the
 * rates; money received is all money. At most five minutes old (STAT-14).
 */
export const getChargeStatistic = call({
  route: 'GET Statistic/Charge',
  aliases: ['finance/v1/Statistic/Charge'],
  title: '收费统计',
  needs: menu.home.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }), month: month('月份') }),
  output: {
    ...shape({
      month: month('月份', { required: true }),
      asOf: day('截至日期', { required: true }),
      builtTime: moment('数据截至', { required: true }),
      due: moneyFigure('当期应收', '属于本月的应收，减去减免；不含押金、预存、违约金与不计收缴率的项目'),
      paid: moneyFigure('当期已收', '为本月收的本金，不论何时收'),
      currentRate: text('当期收缴率', { help: '当期已收 ÷ 当期应收' }),
      owedRate: text('欠费率', { help: '1 − 当期收缴率' }),
      opening: moneyFigure('往期欠费', '月初以前各月未收的本金'),
      recovered: moneyFigure('清欠', '本月为往期收的本金'),
      clearRate: text('清欠率', { help: '清欠 ÷ 往期欠费' }),
      overallRate: text('综合收缴率', { help: '（当期已收 + 清欠）÷（当期应收 + 往期欠费）' }),
      received: moneyFigure('本月收当期'),
      prepaid: moneyFigure('预收', '本月为以后月份收的本金'),
      cash: moneyFigure('现金实收', '收当期 + 清欠 + 预收 + 其他'),
      other: moneyFigure('其他', '违约金、预存、押金与不计收缴率的项目，减去用预存和券抵的与导入的历史收款'),
      writtenOff: moneyFigure('核销'),
      closing: moneyFigure('期末欠费'),
      /** For this month alone: what the ages add up to, and what of it is not in the arrears of the month. */
      unpaid: money('待收合计', { help: '期末欠费 + 以后月份 + 不计收缴率' }),
      later: money('以后月份', { help: '已出账、属于以后月份的未收本金' }),
      outOfRate: money('不计收缴率', { help: '不计收缴率的项目到本月为止未收的本金' }),
      households: int('应缴户数', { required: true }),
      clear: int('缴清户数', { required: true }),
      householdRate: text('户数收缴率', { help: '无到期未缴账单的户数 ÷ 有到期账单的户数' }),
      today: part('今天', collectionFields, { required: true }),
      thisMonth: part('本月', collectionFields, { required: true, wire: 'Tills' }),
      trend: lines(
        '近 12 个月',
        {
          month: month('月份', { required: true }),
          net: moneyTerm('net'),
        },
        { required: true },
      ),
      days: lines(
        '本月每天',
        { day: day('日期', { required: true }), net: money('净收', { required: true }) },
        { required: true },
      ),
      ages: lines(
        '账龄',
        {
          age: choice('账龄', billAge, { required: true }),
          count: int('张数', { required: true }),
          sum: money('未收本金', { required: true }),
        },
        { required: true },
      ),
    }),
    entity: feeMonth.name,
  },
})
