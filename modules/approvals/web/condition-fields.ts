import { ref, type Fields } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import type { ApprovalKindKey } from '../contract/choices.ts'
import type { FormField } from '../contract/form-field.ts'
import { listKinds } from '../contract/process.ts'
import { departmentKey } from '../domain/conditions.ts'
import { fieldsOfForm } from '../domain/form.ts'

/** What a definition of the kind may not say: it is about money, or its requests do not ask for approvers. */
export function useKindLimits(
  bizType: ApprovalKindKey | undefined,
  formFields: readonly FormField[],
): { readonly isMoney: boolean; readonly offersNoChoice: boolean } {
  const kinds = useCall(listKinds, {}, { quiet: true, staleMs: 300_000 }).data
  const kind = kinds?.find(each => each.bizType === bizType)
  return {
    isMoney: bizType === 'general' ? formFields.some(isMoneyField) : (kind?.isMoney ?? false),
    offersNoChoice: kind?.offersNoChoice ?? false,
  }
}

const isMoneyField = ({ fieldKind }: FormField): boolean => fieldKind === 'money'

/** The form of a kind: its own, or what the definition draws. */
export function useKindForm(
  bizType: ApprovalKindKey | undefined,
  formFields: readonly FormField[],
): readonly FormField[] {
  const kinds = useCall(listKinds, {}, { quiet: true, staleMs: 300_000 }).data
  if (bizType === 'general') return formFields.filter(field => field.key && field.label)
  return kinds?.find(kind => kind.bizType === bizType)?.formFields ?? []
}

/** What conditions can ask: the form, and the department of the requester. */
export const useConditionFields = (
  bizType: ApprovalKindKey | undefined,
  formFields: readonly FormField[],
): Fields => ({
  [departmentKey]: ref('申请人部门', 'department'),
  ...fieldsOfForm(useKindForm(bizType, formFields).filter(({ fieldKind }) => fieldKind !== 'files')),
})
