/** How sessions that began at the identity provider are marked: leaving them leaves the provider, too. */
export const identityEntry = 'oidc'
