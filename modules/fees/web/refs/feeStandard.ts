import { readChoice } from '#kit/web/controls/read-value.ts'
import { sourceType } from '../../contract/choices.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { listStandards } from '../../contract/standard-calls.ts'

/** Standards of the form's project, of its item where it names one, fit for the objects it is about. */
export default createRefSource(listStandards, {
  value: s => s.id,
  label: s => s.name,
  note: s => [s.feeItemName, s.price === undefined ? undefined : `${s.price} 元`].filter(Boolean).join(' '),
  disabledReason: s => (s.state === 'off' ? '已停用' : undefined),
  inputFromContext: given => {
    const chosenType = readChoice(sourceType, given.sourceType)
    return {
      ...(given.projectCode ? { projectCode: String(given.projectCode) } : {}),
      ...(typeof given.feeItemId === 'number' ? { feeItemId: [String(given.feeItemId)] } : {}),
      ...(chosenType ? { sourceType: chosenType } : {}),
    }
  },
  dependsOn: ['projectCode', 'feeItemId', 'sourceType'],
})
