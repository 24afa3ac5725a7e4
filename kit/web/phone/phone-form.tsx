import type { ComponentProps, KeyboardEvent } from 'react'
import { focusFirstFault } from './focus-first-fault.ts'

function keepFromSubmitting(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    event.preventDefault()
  }
}

/**
 * A form on a phone: Enter in one of its inputs does not send it. What is sent is seen first, and sent by
 * the large button, which is far from the fields: what it finds wrong is led to.
 */
export const PhoneForm = ({ onSubmit, ...props }: ComponentProps<'form'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its inputs arrive here
  <form
    {...props}
    noValidate
    onKeyDown={keepFromSubmitting}
    onSubmit={event => {
      event.preventDefault()
      const form = event.currentTarget
      onSubmit?.(event)
      // Once the faults are drawn.
      setTimeout(() => focusFirstFault(form), 0)
    }}
  />
)
