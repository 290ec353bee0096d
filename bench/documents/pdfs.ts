import { question, section, type WrittenDocument } from './parts.ts';

export const PDFS: WrittenDocument[] = [
  {
    name: 'office-lease.pdf',
    sections: [
      section(
        'Parties',
        'This lease is made between Harbour Estates Ltd, the landlord, and Fennel Shipping GmbH, the tenant. It covers the second floor of the building at Quay Street 14, with four offices, a kitchen and a meeting room. The lease begins on the first of April and runs for five years.',
      ),
      section(
        'Rent',
        'The tenant pays 3,850 euros a month, in advance, by the third working day. The rent rises each April by the change of the consumer price index of the year before, but by no more than three percent. Water and heating are charged separately, by meter.',
      ),
      section(
        'Deposit',
        'Before the keys are handed over, the tenant pays a deposit of three monthly rents. The landlord keeps it on an account of its own and returns it within eight weeks after the rooms were given back, less the cost of damage.',
      ),
      section(
        'Repairs',
        'The landlord looks after roof, walls, lift and pipes. The tenant repairs what is worth less than 120 euros, and repaints the rooms in white at the end. Leaks are reported to the caretaker on the same day.',
      ),
      section(
        'Use of the rooms',
        'The rooms are offices. Subletting needs written consent. Up to two dogs may be brought along, on a lead in the stairwell. Signs at the front door are ordered by the landlord, so that they look alike.',
      ),
      section(
        'Ending the lease',
        'After the third year, the tenant may leave with six months notice, in writing, to the end of a quarter. The landlord may end the lease at once if the rent is two months late.',
      ),
      section(
        'Parking',
        'Two places in the courtyard, numbers 7 and 8, belong to the offices. Bicycles stand in the cellar, which is opened with the same key. Electric cars are charged at place 8; the current is billed each quarter.',
      ),
    ],
    questions: [
      question('Can we bring our pets to the office?', 'two dogs may be brought'),
      question(
        'When do we get back the money that we paid at the beginning?',
        'within eight weeks',
      ),
      question('How early must we tell the landlord that we are moving out?', 'six months notice'),
      question('Where can I charge my car?', 'Electric cars are charged'),
    ],
  },
  {
    name: 'employee-handbook.pdf',
    sections: [
      section(
        'Working hours',
        'A full week has 38 hours. Everybody is reachable between ten and three; the rest is up to each team. Overtime is agreed beforehand and taken as time off within three months. Nobody is expected to read messages in the evening.',
      ),
      section(
        'Holidays',
        'Everyone has 30 days of paid leave a year. Up to eight of them can be carried over until the end of March. Requests for more than two weeks in a row are made six weeks ahead, so that the team can plan.',
      ),
      section(
        'Illness',
        'Whoever is ill calls or writes before nine. A certificate of a doctor is needed from the fourth day on. Parents stay at home with a sick child for up to fifteen days a year with full pay.',
      ),
      section(
        'Travel',
        'Trains are booked in second class, and first class for journeys of more than four hours. A night in a hotel may cost 140 euros. Receipts are uploaded within thirty days; money is paid back with the next salary.',
      ),
      section(
        'Equipment',
        'Each employee chooses a laptop for up to 1,800 euros, replaced after four years. A lost phone is reported to the help desk within the hour, which wipes it from afar. A chair and a desk for work at home are paid up to 600 euros.',
      ),
      section(
        'Learning',
        'Everybody has 1,200 euros and five days a year for courses, books and conferences. What is left at the end of the year expires. Language lessons in the office take place on Tuesdays and do not count.',
      ),
      section(
        'Leaving',
        'The period of notice is two months in the first five years, and three after that. On the last day, keys, cards and laptop are given to the office manager. A reference is written within four weeks.',
      ),
    ],
    questions: [
      question('How many vacation days can I take into the new year?', 'Up to eight of them'),
      question(
        'From when on do I have to see a physician if I have the flu?',
        'from the fourth day',
      ),
      question('What may a hotel room cost on a business trip?', '140 euros'),
      question('Is there a budget for conferences?', '1,200 euros and five days'),
    ],
  },
  {
    name: 'crane-manual.pdf',
    sections: [
      section(
        'Overview',
        'The TR-40 is a mobile crane for containers of up to forty tonnes at a reach of eleven metres. It is driven by a diesel engine of 260 kilowatts and runs on eight wheels. The cabin turns with the boom.',
      ),
      section(
        'Before each shift',
        'Check the level of the hydraulic oil, which must be between the two marks while the boom is lowered. Look for cracks at the hook and for worn strands of the rope: more than six broken wires on one metre mean that it is replaced.',
      ),
      section(
        'Starting',
        'Turn the key to position two and wait until the yellow lamp goes out, about eight seconds in the cold. Then start the engine. Let it idle for three minutes before the first load.',
      ),
      section(
        'Wind',
        'Stop work at gusts of more than 72 kilometres per hour. Lower the boom, put the hook on the ground and turn the brake of the slewing gear off, so that the boom can swing like a weathervane.',
      ),
      section(
        'Error codes',
        'E14 means that the load is too heavy for this reach: lower it and move closer. E21 is a lost signal of the angle sensor at the foot of the boom. E37 shows that the temperature of the oil is above 95 degrees; let it cool at idle.',
      ),
      section(
        'Maintenance',
        'Grease the slewing ring every fifty hours with twelve strokes of the gun at each of the four nipples. The oil of the engine is changed after 500 hours, its filter each second time. Every year an inspector looks at the steel structure.',
      ),
      section(
        'Emergency',
        'The red button at the left of the seat stops all movements. If the engine fails while a load hangs, the hand pump behind the cabin lowers it, about one metre in four minutes. Nobody stands below.',
      ),
    ],
    questions: [
      question('What does the display mean when it says E21?', 'lost signal of the angle sensor'),
      question(
        'How do I bring down a container when the motor has died?',
        'the hand pump behind the cabin',
      ),
      question('Up to which storm may we go on lifting?', '72 kilometres per hour'),
      question('When does the steel cable have to be exchanged?', 'six broken wires'),
    ],
  },
  {
    name: 'insurance-policy.pdf',
    sections: [
      section(
        'What is covered',
        'The policy covers loss of and damage to goods while they are carried by sea, road or rail, from the moment they leave the sender until they reach the receiver. The sum insured is four million euros for each voyage.',
      ),
      section(
        'What is not covered',
        'Not covered are damage by war, by nuclear energy, by poor packing, and by delay. Live animals, cash and works of art need an agreement of their own. Rust is covered only if water has entered the container.',
      ),
      section(
        'Own share',
        'Of each loss, the insured bears the first 2,500 euros. For refrigerated goods it is 5,000 euros, unless the temperature was recorded at least every fifteen minutes.',
      ),
      section(
        'Duties',
        'Theft is reported to the police within 24 hours and to the insurer within three days. Damaged goods are photographed and kept until the surveyor has seen them. Whoever throws them away before that loses the claim.',
      ),
      section(
        'Premium',
        'The premium is 0.18 percent of the value of the goods, and at least 9,000 euros a year. It is due in January. If there was no loss for three years in a row, a fifth of it is returned.',
      ),
      section(
        'Piracy',
        'Ransom and the costs of a negotiator are paid up to one million euros. Ships that pass the Gulf of Aden report their route two days before, and carry guards if the insurer asks for it.',
      ),
    ],
    questions: [
      question('Do we pay something ourselves if the cooled cargo spoils?', '5,000 euros, unless'),
      question('Will the insurer pay if paintings are damaged?', 'works of art'),
      question(
        'How fast do we have to tell the authorities about stolen goods?',
        'within 24 hours',
      ),
      question('Do we get a discount after years without accidents?', 'a fifth of it is returned'),
    ],
  },
  {
    name: 'annual-report.pdf',
    sections: [
      section(
        'Letter to the owners',
        'It was a year of two halves. Until June, rates were low and two of our ships lay idle. Then the canal was closed for eleven weeks, every voyage became longer, and there was not a free hull in Europe. We end the year better than we had feared.',
      ),
      section(
        'Revenue',
        'Revenue was 48.3 million euros, nine percent more than the year before. Containers brought 31 million, bulk goods 12 million, and the rest came from repairs in our own yard at Emden.',
      ),
      section(
        'Costs',
        'Fuel was the largest cost with 14.1 million euros. Wages were 9.8 million for 212 people. Port fees rose by a quarter, mostly in Rotterdam. We closed the office in Genoa in September.',
      ),
      section(
        'Fleet',
        'We own seven ships. The Marigold, built in 1998, was sold for scrap in May. The Juniper was fitted with a new propeller that saves eight percent of fuel. Two hybrid feeders are ordered and come in 2028.',
      ),
      section(
        'Emissions',
        'We emitted 61,000 tonnes of carbon dioxide, four percent less for each tonne and mile than the year before. Shore power in Hamburg is used on every call. By 2035 we want to be at half.',
      ),
      section(
        'Dividend',
        'The board proposes to pay 1.10 euros for each share, and to put the rest of the profit of 3.6 million euros into the two new ships. The meeting of owners decides about it on the ninth of May.',
      ),
    ],
    questions: [
      question('Which vessel was scrapped?', 'The Marigold'),
      question('How many people work for us?', '212 people'),
      question('What do shareholders get?', '1.10 euros for each share'),
    ],
  },
  {
    name: 'port-guide-oslo.pdf',
    sections: [
      section(
        'Approach',
        'Pilots board at Faerder, two miles south of the lighthouse, and are ordered four hours ahead on channel 12. The fjord is narrow at Drøbak, where ships of more than 150 metres do not meet.',
      ),
      section(
        'Berths',
        'Containers are handled at Sjursøya, with a depth of eleven metres and three gantry cranes. Bulk carriers lie at Kneppeskjær. The berth at Filipstad is closed for ships since 2019.',
      ),
      section(
        'Ice',
        'From January to March, the inner harbour may freeze. The icebreaker is free of charge for ships that call at least six times a year. Others pay 7,000 crowns an hour.',
      ),
      section(
        'Waste',
        'Rubbish is collected every morning, sorted into four kinds. Sludge and oily water are taken by a truck that is ordered a day ahead; up to ten cubic metres are included in the port fees.',
      ),
      section(
        'Crew',
        'The seamen’s church at Admiral Børresens vei serves waffles on Sundays and has free internet. Bus 85 leaves from the gate every twenty minutes. The next doctor for seafarers is Dr Haugen, who speaks English and Tagalog.',
      ),
      section(
        'Fees',
        'The harbour fee is 0.62 crowns for each gross ton. Ships with an environmental index above forty have a third off. Shore power costs as much as in town, and is obligatory for calls of more than two hours.',
      ),
    ],
    questions: [
      question('Where can sailors use wifi without paying?', 'serves waffles'),
      question('What does breaking the frozen water cost?', '7,000 crowns'),
      question('How do I get a pilot?', 'Pilots board at Faerder'),
    ],
  },
];
