import { useId, type ReactNode } from 'react'
import { RequiredStar } from '../required-star.tsx'

/** What a control says of its field. */
export interface PhoneControl {
  readonly id: string
  readonly 'aria-required'?: true
  readonly 'aria-invalid'?: true
  readonly 'aria-describedby'?: string
}

interface FieldFaultProps {
  readonly id?: string
  readonly fault: string | undefined
}

/** What is wrong with a field, under it: `PhoneForm` leads to the first of them. */
export const FieldFault = ({ id, fault }: FieldFaultProps) =>
  fault === undefined ? null : (
    <p className="fault" role="alert" id={id}>
      {fault}
    </p>
  )

/** A field of a form on a phone: its name, what helps to fill it, its control, and its fault. */
export function PhoneField({
  label,
  isRequired = false,
  hint,
  fault,
  above,
  children,
}: {
  readonly label: string
  readonly isRequired?: boolean
  readonly hint?: string
  readonly fault?: string | undefined
  readonly above?: ReactNode
  readonly children: (control: PhoneControl) => ReactNode
}) {
  const id = useId()
  const faultId = `${id}-fault`
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {isRequired && <RequiredStar />}
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </label>
      {above}
      {children({
        id,
        ...(isRequired ? { 'aria-required': true } : {}),
        ...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': faultId }),
      })}
      <FieldFault id={faultId} fault={fault} />
    </div>
  )
}
