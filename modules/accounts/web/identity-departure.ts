/** What a browser keeps while somebody is at the identity provider; it ends with its tab. */
export interface Departure {
  readonly state: string
  readonly browserKey: string
  readonly purpose: 'signIn' | 'bind'
  /** From where, to come back to. */
  readonly path: string
  readonly search: string
}

const storeKey = 'identity-departure'

/** Leaves for the provider. */
export function departTo(
  { address, state, browserKey }: Pick<Departure, 'state' | 'browserKey'> & { readonly address: string },
  purpose: Departure['purpose'],
): void {
  const { pathname, search } = location
  const departure: Departure = { state, browserKey, purpose, path: pathname, search }
  sessionStorage.setItem(storeKey, JSON.stringify(departure))
  location.assign(address)
}

/** The departure that a return belongs to; none in a browser that has not departed. */
export function findDeparture(state: string | null): Departure | undefined {
  try {
    const departure: Departure | null = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null')
    return departure && departure.state === state ? departure : undefined
  } catch {
    return undefined
  }
}

export const forgetDeparture = (): void => sessionStorage.removeItem(storeKey)
