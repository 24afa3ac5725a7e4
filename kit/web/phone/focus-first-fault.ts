const controls = 'textarea, select, input:not([hidden], [type=file]), button'

/**
 * The first field with a fault gets the focus, and with it comes into view: the control that says so, or the
 * first of the field. Nothing where all fields are right.
 */
export function focusFirstFault(form: ParentNode): void {
  const field = form.querySelector(':is(.field, fieldset) .fault')?.closest('.field, fieldset')
  const invalid = field?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const control = invalid ?? field?.querySelector<HTMLElement>(controls)
  control?.focus()
}
