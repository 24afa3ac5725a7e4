import { Statistics } from './statistics.tsx'

/** 品质首页: how well orders of this month were served. */
export default function QualityHome() {
  return <Statistics title="品质首页" />
}
