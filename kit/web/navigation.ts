/** Moving about from outside the components: the router lends its hand when it stands. */
type NavigateFunction = (to: string, how?: { readonly replace?: boolean }) => void
let navigator: NavigateFunction | undefined

export const setNavigator = (g: NavigateFunction | undefined): void => {
  navigator = g
}

export const navigateTo: NavigateFunction = (to, how) => {
  if (navigator) {
    navigator(to, how)
  } else if (how?.replace) {
    location.replace(to)
  } else {
    location.assign(to)
  }
}

/** The whole current address within the site, as `redirect` carries it. */
export const currentUrl = (): string => location.pathname + location.search + location.hash
