import type { Relation } from '#modules/residents/contract/relation.ts'
import type { Activity } from '../contract/activity.ts'

/** As much of a home as says whether an activity is for it. */
export interface AskedHome {
  readonly projectCode: string
  readonly buildingCode?: string | undefined
  readonly relation?: Relation | undefined
}

/** A worker has no building and no relation: for them is what is for everybody. */
export function isForHome(
  {
    projectCode,
    buildCodes = [],
    relations = [],
  }: Pick<Activity, 'projectCode' | 'buildCodes' | 'relations'>,
  home: AskedHome,
): boolean {
  if (home.projectCode !== projectCode) return false
  const isBuilding =
    !buildCodes.length || (home.buildingCode !== undefined && buildCodes.includes(home.buildingCode))
  return (
    isBuilding && (!relations.length || (home.relation !== undefined && relations.includes(home.relation)))
  )
}
