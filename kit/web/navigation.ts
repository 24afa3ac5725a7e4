/** Navigation from outside the components: the router sets its function when it is mounted. */
type NavigateFunction = (to: string, options?: { readonly replace?: boolean }) => void
let navigator: NavigateFunction | undefined

export const setNavigator = (navigate: NavigateFunction | undefined): void => {
  navigator = navigate
}

export const navigateTo: NavigateFunction = (to, options) => {
  if (navigator) {
    navigator(to, options)
  } else if (options?.replace) {
    location.replace(to)
  } else {
    location.assign(to)
  }
}

/** The whole current address within the site, as `redirect` carries it. */
export const currentUrl = (): string => location.pathname + location.search + location.hash
