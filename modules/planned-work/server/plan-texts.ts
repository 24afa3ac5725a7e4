import { labelOf } from '#kit/contract/field.ts'
import { calendarRule, cycleType } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'

const weekDayName = (text: string): string => `周${'一二三四五六日'[Number(text) - 1] ?? text}`

type PlanCycle = Pick<WorkPlan, 'cycleType' | 'cycle' | 'calendarRule' | 'times'>

function cycleText({ cycleType: type, cycle = {} }: PlanCycle): string {
  switch (type) {
    case 'daily':
      return labelOf(cycleType, type)
    case 'weekly':
      return (cycle.weekDays ?? []).toSorted().map(weekDayName).join('、')
    case 'monthly': {
      const days = (cycle.monthDays ?? []).map(Number).toSorted((a, b) => a - b)
      return `每月 ${days.join('、')} 日${cycle.monthEndClamp ? '（无此日按月末）' : ''}`
    }
    case 'everyDays':
      return `每 ${cycle.everyDays ?? 1} 天`
    case 'dates':
      return `指定日期 ${cycle.dates?.length ?? 0} 天`
  }
}

/** `周一、周三 08:00–09:00、22:00–次日 02:00（仅工作日）` */
export function scheduleText(plan: PlanCycle): string {
  const times = plan.times.map(({ begin, end }) => `${begin}–${end > begin ? '' : '次日 '}${end}`).join('、')
  const rule = plan.calendarRule === 'always' ? '' : `（${labelOf(calendarRule, plan.calendarRule)}）`
  return `${cycleText(plan)} ${times}${rule}`
}
