import { WorkPhone } from '#modules/planned-work/web/public.phone.ts'
import { greeningWork } from '../contract/work.ts'

/** 现场绿化养护: the care of areas on a phone. */
export default function CarePhonePage() {
  return <WorkPhone calls={greeningWork} title="现场绿化养护" />
}
