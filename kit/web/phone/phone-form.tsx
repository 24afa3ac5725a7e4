import type { ComponentProps, KeyboardEvent } from 'react'

function keepFromSubmitting(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    event.preventDefault()
  }
}

/**
 * A form on a telephone: Enter in one of its inputs does not send it. What is sent is seen first, and sent by
 * the large button.
 */
export const PhoneForm = (props: ComponentProps<'form'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its inputs arrive here
  <form {...props} onKeyDown={keepFromSubmitting} />
)
