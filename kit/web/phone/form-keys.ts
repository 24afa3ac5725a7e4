import type { KeyboardEvent } from 'react'

/**
 * For the `onKeyDown` of a telephone's form: Enter in one of its inputs does not send it. What is sent is
 * seen first, and sent by the large button.
 */
export function keepFromSubmitting(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    event.preventDefault()
  }
}
