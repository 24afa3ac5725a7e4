/** Opens the task centre from a page; the shell lends its hand. */
let open: (() => void) | undefined

export const lendTaskCentre = (o: (() => void) | undefined): void => {
  open = o
}

export const openTaskCentre = (): void => open?.()
