import { useSearchParams } from 'react-router'
import { useStoredAnswer } from '#kit/web/phone/use-stored-answer.ts'
import { WorkPhone } from '#modules/planned-work/web/public.phone.ts'
import { findPointOfCode } from '../contract/location.ts'
import { cleaningWork } from '../contract/work.ts'

/** A label that this phone has never read with a network. */
const unknownLabel = '无网络，无法识别二维码，请从列表选择任务'

/** 现场保洁检查: scored inspections on a phone; the label of a point opens its own. */
export default function InspectionPhonePage() {
  const [address] = useSearchParams()
  const code = address.get('point') ?? ''
  const { answer, isOld, refusal } = useStoredAnswer(
    findPointOfCode,
    { code },
    `cleaning.point/${code}`,
    code !== '',
  )
  const scanned = answer && { code, targetId: answer.id, name: answer.locationName }
  const labelFault = refusal ?? (isOld && !answer ? unknownLabel : undefined)
  return <WorkPhone calls={cleaningWork} title="现场保洁检查" scanned={scanned} labelFault={labelFault} />
}
