/** Opens the task centre from a page; the shell sets how. */
let opener: (() => void) | undefined

export const setTaskCentreOpener = (next: (() => void) | undefined): void => {
  opener = next
}

export const openTaskCentre = (): void => opener?.()
