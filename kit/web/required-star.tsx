import type { Field } from '#kit/contract/field.ts'

/** Marks a required field; for screen readers that is `aria-required`. */
export const RequiredStar = () => (
  <i className="required-star" aria-hidden>
    *
  </i>
)

/** A switch is never empty: it is on or off, and asks for nothing. Rows that may be none do not either. */
export const isMarkedRequired = (
  field: Pick<Field, 'kind' | 'required' | 'min'>,
  isRequired = false,
): boolean =>
  field.kind !== 'flag' && !(field.kind === 'lines' && field.min === 0) && (field.required || isRequired)
