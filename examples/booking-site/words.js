// The page's own words in each language of the widget.
export const languages = {
  da: 'Dansk',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nb: 'Norsk',
  nl: 'Nederlands',
  sv: 'Svenska',
}

const names = [
  ...['language', 'skip', 'headline', 'lead', 'reason1', 'reason2', 'reason3', 'station'],
  ...['address', 'hours', 'closed', 'contact', 'terms', 'privacy', 'again'],
  ...['reload', 'claim1', 'claim2', 'claim3', 'vehicles'],
]

const words = {
  da: `Sprog|Gå til booking|Norge og fjordene i dit eget tempo|Velholdte køretøjer, én klar pris. Book på to minutter.|Hvert køretøj tjekkes og rengøres, før du får det.|Prisen, du ser, er prisen, du betaler.|Vores egne folk ser på hver booking og tager telefonen.|Vores station|Adresse|Åbningstider|lukket|Kontakt|Lejevilkår|Privatlivspolitik|Booking er ikke tilgængelig lige nu.|Genindlæs|Tjekket og ren|Én klar pris|Mennesker, der svarer|Vores køretøjer`,
  de: `Sprache|Zur Buchung|Norwegen und die Fjorde im eigenen Tempo|Gepflegte Fahrzeuge, ein klarer Preis. In zwei Minuten gebucht.|Jedes Fahrzeug wird geprüft und gereinigt, bevor Sie es bekommen.|Der Preis, den Sie sehen, ist der Preis, den Sie zahlen.|Unser eigenes Team prüft jede Buchung und geht ans Telefon.|Unsere Station|Adresse|Öffnungszeiten|geschlossen|Kontakt|Mietbedingungen|Datenschutz|Die Buchung ist gerade nicht erreichbar.|Neu laden|Geprüft und sauber|Ein klarer Preis|Menschen, die antworten|Unsere Fahrzeuge`,
  en: `Language|Skip to booking|Norway and its fjords, at your own pace|Well-kept vehicles, one clear price. Book in two minutes.|Every vehicle is checked and cleaned before you get it.|The price you see is the price you pay.|Our own people look at every booking and answer the telephone.|Our station|Address|Opening hours|closed|Contact|Rental terms|Privacy notice|Booking is not available right now.|Reload|Checked and clean|One clear price|People who answer|Our vehicles`,
  es: `Idioma|Ir a la reserva|Noruega y los fiordos, a su ritmo|Vehículos cuidados y un precio claro. Reserve en dos minutos.|Revisamos y limpiamos cada vehículo antes de entregarlo.|El precio que ve es el precio que paga.|Nuestro propio equipo revisa cada reserva y atiende el teléfono.|Nuestra oficina|Dirección|Horario|cerrado|Contacto|Condiciones de alquiler|Privacidad|Ahora no es posible reservar.|Volver a cargar|Revisado y limpio|Un precio claro|Personas que responden|Nuestros vehículos`,
  fr: `Langue|Aller à la réservation|La Norvège et les fjords, à votre rythme|Des véhicules soignés, un prix clair. Réservez en deux minutes.|Chaque véhicule est contrôlé et nettoyé avant votre départ.|Le prix affiché est le prix payé.|Notre équipe examine chaque réservation et répond au téléphone.|Notre agence|Adresse|Horaires|fermé|Contact|Conditions de location|Confidentialité|La réservation est momentanément indisponible.|Recharger|Contrôlé et propre|Un prix clair|Une équipe qui répond|Nos véhicules`,
  it: `Lingua|Vai alla prenotazione|La Norvegia e i fiordi, al Suo ritmo|Veicoli curati, un prezzo chiaro. Prenoti in due minuti.|Ogni veicolo è controllato e pulito prima della consegna.|Il prezzo che vede è il prezzo che paga.|Il nostro personale esamina ogni prenotazione e risponde al telefono.|La nostra sede|Indirizzo|Orari|chiuso|Contatti|Condizioni di noleggio|Privacy|Al momento non è possibile prenotare.|Ricarica|Controllato e pulito|Un prezzo chiaro|Persone che rispondono|I nostri veicoli`,
  nb: `Språk|Gå til bestilling|Norge og fjordene i ditt eget tempo|Velstelte kjøretøy, én tydelig pris. Bestill på to minutter.|Hvert kjøretøy sjekkes og rengjøres før du får det.|Prisen du ser, er prisen du betaler.|Våre egne folk ser på hver bestilling og svarer på telefonen.|Utleiestedet|Adresse|Åpningstider|stengt|Kontakt|Leievilkår|Personvern|Bestilling er ikke tilgjengelig akkurat nå.|Last inn på nytt|Sjekket og ren|Én tydelig pris|Folk som svarer|Våre kjøretøy`,
  nl: `Taal|Naar boeken|Noorwegen en de fjorden, in uw eigen tempo|Goed onderhouden voertuigen, één duidelijke prijs. Boek in twee minuten.|Elk voertuig wordt gecontroleerd en gereinigd voordat u het krijgt.|De prijs die u ziet, is de prijs die u betaalt.|Ons eigen team bekijkt elke boeking en neemt de telefoon op.|Onze vestiging|Adres|Openingstijden|gesloten|Contact|Huurvoorwaarden|Privacyverklaring|Boeken is nu niet mogelijk.|Opnieuw laden|Gecontroleerd en schoon|Eén duidelijke prijs|Mensen die opnemen|Onze voertuigen`,
  sv: `Språk|Gå till bokning|Norge och fjordarna i din egen takt|Välskötta fordon, ett tydligt pris. Boka på två minuter.|Varje fordon kontrolleras och rengörs innan du får det.|Priset du ser är priset du betalar.|Vår egen personal ser på varje bokning och svarar i telefon.|Vår station|Adress|Öppettider|stängt|Kontakt|Hyresvillkor|Integritetspolicy|Bokning är inte tillgänglig just nu.|Ladda om|Kontrollerad och ren|Ett tydligt pris|Människor som svarar|Våra fordon`,
}

export function wordsOf(language) {
  const texts = words[language].split('|')
  return Object.fromEntries(names.map((name, at) => [name, texts[at]]))
}

/** Returns the language of the link, or the first of the visitor's languages that the page has. */
export function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get('lang')
  const wanted = [asked ?? '', ...navigator.languages].map((tag) =>
    tag
      .toLowerCase()
      .replace(/-.*/, '')
      .replace(/^n[no]$/, 'nb'),
  )
  return wanted.find((name) => Object.hasOwn(languages, name)) ?? 'en'
}

/** Shows the page in a language, and keeps the language of the link in links to other pages. */
export function showWords(language, words) {
  // British English, for its date and time formats.
  document.documentElement.lang = language === 'en' ? 'en-GB' : language
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = words[element.dataset.text]
  }
  for (const link of document.querySelectorAll('a[href^="/"]')) link.search = location.search
}
