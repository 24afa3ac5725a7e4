import { addDays } from '#kit/domain/day.ts'
import { useAddressSpan } from '#kit/web/address-span.ts'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'

const defaultDays = 7

/** The time and the project that both tabs show: the last week unless another is chosen. */
export function useFlowSpan() {
  const project = useProject()
  const [span, setSpan] = useAddressSpan({ from: addDays(today(), 1 - defaultDays), to: today() })
  const input = {
    dayFrom: span.from,
    dayTo: span.to,
    ...(project ? { projectCode: project } : {}),
  }
  return { span, setSpan, input }
}
