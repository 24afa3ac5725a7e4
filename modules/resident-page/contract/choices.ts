import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** Why somebody is let in: they live there, or work for a company there. */
export const homeKind = choiceTable('ResidentHomeKind', '住处', {
  residency: [10, '住房'],
  worker: [20, '任职'],
})

export type HomeKind = ChoiceOf<typeof homeKind>

/** The pictures that stand for parts of the page. */
export const partIcon = choiceTable('ResidentPartIcon', '图标', {
  notice: [10, '公告'],
  activity: [20, '活动'],
  matter: [30, '事项'],
  bill: [40, '账单'],
  repair: [50, '报事'],
  visitor: [60, '访客'],
  door: [70, '开门'],
  parking: [80, '停车'],
  other: [90, '其他'],
})

export type PartIcon = ChoiceOf<typeof partIcon>
