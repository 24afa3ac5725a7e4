import { useSearchParams } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { InspectionPhone } from '#modules/planned-work/web/public.phone.ts'
import { findPointOfCode } from '../contract/location.ts'
import { cleaningWork } from '../contract/work.ts'

/** 现场保洁检查: scored inspections on a telephone; the label of a point opens its own. */
export default function InspectionPhonePage() {
  const [address] = useSearchParams()
  const code = address.get('point') ?? ''
  const { data, error } = useCall(
    findPointOfCode,
    { code },
    { quiet: true, enabled: code !== '', project: 0 },
  )
  const scanned = data && { code, targetId: data.id, name: data.locationName }
  return (
    <InspectionPhone
      calls={cleaningWork}
      title="现场保洁检查"
      scanned={scanned}
      labelFault={error?.message}
    />
  )
}
