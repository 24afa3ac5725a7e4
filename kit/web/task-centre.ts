/** Opens the task centre from a page; the shell lends its hand. */
let opener: (() => void) | undefined

export const setTaskCentreOpener = (o: (() => void) | undefined): void => {
  opener = o
}

export const openTaskCentre = (): void => opener?.()
