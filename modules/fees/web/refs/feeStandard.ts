import { readChoice } from '#kit/web/controls/read-value.ts'
import { sourceType } from '../../contract/choices.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { listStandards } from '../../contract/standard-calls.ts'

/**
 * Standards of the form's project, of its item where it names one, fit for the objects it is about; in the
 * form of a car those that can price its months.
 */
export default createRefSource(listStandards, {
  value: s => s.id,
  label: s => s.name,
  note: s => [s.feeItemName, s.price === undefined ? undefined : `${s.price} 元`].filter(Boolean).join(' '),
  disabledReason: s => (s.state === 'off' ? '已停用' : undefined),
  ofFormProject: true,
  inputFromContext: formValues => {
    const chosenType = readChoice(sourceType, formValues.sourceType)
    return {
      ...(typeof formValues.feeItemId === 'number' ? { feeItemId: [String(formValues.feeItemId)] } : {}),
      ...(chosenType ? { sourceType: chosenType } : {}),
      ...(formValues.carKind === undefined ? {} : { isMonthPrice: true }),
    }
  },
  dependsOn: ['feeItemId', 'sourceType', 'carKind'],
})
